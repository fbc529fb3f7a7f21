// SPDX-License-Identifier: Apache-2.0
#include "tests/nn/counted_new.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> count{0};
}  // namespace

void* operator new(std::size_t size) {
  ++count;
  void* memory = std::malloc(size);
  if (!memory) throw std::bad_alloc();
  return memory;
}
// Replaced too: the library's version would not match the operator delete below.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++count;
  return std::malloc(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace gradus {

long allocations() {
  return count;
}

}  // namespace gradus
