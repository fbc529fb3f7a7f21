// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace gradus {

/// Allocates cache-line-aligned memory. Arrays of 2 MiB or more use huge pages if the system
/// provides them: matrix products stride through their operands and would suffer TLB misses on
/// small pages. Contents are uninitialised. Throws std::bad_alloc.
void* allocate_array(std::size_t bytes);
void free_array(void* array, std::size_t bytes) noexcept;

/// Standard allocator on top of allocate_array() and free_array().
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

/// Vector for arrays that every update reads in full.
template <typename Value>
using Array = std::vector<Value, ArrayAllocator<Value>>;

}  // namespace gradus
