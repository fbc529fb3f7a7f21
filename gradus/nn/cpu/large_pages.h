#pragma once

#include <cstddef>
#include <vector>

namespace gradus {

/// Memory on a border of cache lines. From 2 MiB on it is on large pages where the system has them,
/// since products stride through their operands and would wait for the addresses of small ones.
/// What is in it is open. Throws std::bad_alloc.
void* allocate_array(std::size_t bytes);
void free_array(void* array, std::size_t bytes) noexcept;

/// Allocates by the two functions above.
template <typename Value>
struct ArrayAllocator {
  using value_type = Value;

  Value* allocate(std::size_t count) {
    return static_cast<Value*>(allocate_array(count * sizeof(Value)));
  }
  void deallocate(Value* array, std::size_t count) noexcept {
    free_array(array, count * sizeof(Value));
  }
  bool operator==(const ArrayAllocator&) const = default;
};

/// A vector for numbers of which every update takes all.
template <typename Value>
using Array = std::vector<Value, ArrayAllocator<Value>>;

}  // namespace gradus
