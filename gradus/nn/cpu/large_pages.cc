// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/large_pages.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

#include <hwy/aligned_allocator.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace gradus {
namespace {

constexpr std::size_t kPage = std::size_t{2} << 20;

// Staggers the arrays: if all of them started at a page boundary, they would compete for the same
// cache sets.
std::size_t next_offset() {
  static std::atomic<unsigned> arrays = 0;
  constexpr std::size_t kOffset = 4096 + 5 * 64;
  return arrays++ % 16 * kOffset;
}

}  // namespace

void* allocate_array(std::size_t bytes) {
  if (bytes < kPage) {
    void* const array = hwy::AllocateAlignedBytes(bytes, nullptr, nullptr);
    if (array == nullptr) throw std::bad_alloc();
    return array;
  }
  const std::size_t offset = next_offset();
  const std::size_t whole = (bytes + offset + kPage - 1) / kPage * kPage;
  void* const pages = std::aligned_alloc(kPage, whole);
  if (pages == nullptr) throw std::bad_alloc();
#ifdef __linux__
  madvise(pages, whole, MADV_HUGEPAGE);  // a hint: if refused, small pages are used
#endif
  return static_cast<unsigned char*>(pages) + offset;
}

void free_array(void* array, std::size_t bytes) noexcept {
  if (bytes < kPage) {
    hwy::FreeAlignedBytes(array, nullptr, nullptr);
    return;
  }
  const auto address = reinterpret_cast<std::uintptr_t>(array);
  std::free(static_cast<unsigned char*>(array) - address % kPage);
}

}  // namespace gradus
