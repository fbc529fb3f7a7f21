#pragma once

#include <cstddef>

#include <hwy/aligned_allocator.h>

namespace gradus::fast {

/// Numbers on a border of cache lines, in memory that is kept and only ever grows.
template <typename Value>
class Buffer {
 public:
  /// Makes room for `size` numbers. What was there is lost where that takes more memory.
  void resize(std::size_t size) {
    if (size > room_) {
      values_ = hwy::AllocateAligned<Value>(size);
      room_ = size;
    }
  }
  Value* data() const { return values_.get(); }

 private:
  hwy::AlignedFreeUniquePtr<Value[]> values_;
  std::size_t room_ = 0;
};

}  // namespace gradus::fast
