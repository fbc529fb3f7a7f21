// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "gradus/nn/cpu/large_pages.h"

namespace gradus::fast {

/// Array from allocate_array(). Its memory is kept for reuse and only grows.
template <typename Value>
class Buffer {
 public:
  /// Makes room for `size` numbers. If the array has to grow, its contents are lost. New memory is
  /// uninitialised.
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
