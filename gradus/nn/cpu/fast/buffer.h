#pragma once

#include <cstddef>
#include <memory>

#include "gradus/nn/cpu/large_pages.h"

namespace gradus::fast {

/// Numbers in memory of allocate_array() that is kept and only ever grows.
template <typename Value>
class Buffer {
 public:
  /// Makes room for `size` numbers. What was there is lost where that takes more memory.
  void resize(std::size_t size) {
    if (size <= room_) return;
    const std::size_t bytes = size * sizeof(Value);
    values_ = Values(static_cast<Value*>(allocate_array(bytes)), Free{bytes});
    room_ = size;
  }
  Value* data() const { return values_.get(); }

 private:
  struct Free {
    std::size_t bytes = 0;
    void operator()(Value* values) const { free_array(values, bytes); }
  };

  using Values = std::unique_ptr<Value[], Free>;

  Values values_;
  std::size_t room_ = 0;
};

}  // namespace gradus::fast
