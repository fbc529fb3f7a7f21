// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/large_pages.h"

#include <cstdint>
#include <cstring>

#include <gtest/gtest.h>

namespace gradus {
namespace {

constexpr std::size_t kPage = std::size_t{2} << 20;

// Writes all bytes, so that the address sanitizer detects an array that is too short.
TEST(LargePages, GivesAllBytesOnABorderOfCacheLines) {
  for (const std::size_t bytes : {std::size_t{1}, kPage - 1, kPage, kPage + 1, 3 * kPage}) {
    void* const array = allocate_array(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array) % 64, 0u) << bytes;
    std::memset(array, 1, bytes);
    free_array(array, bytes);
  }
}

TEST(LargePages, StartsNeighboursInDifferentCacheSets) {
  void* const one = allocate_array(kPage);
  void* const other = allocate_array(kPage);
  EXPECT_NE(reinterpret_cast<std::uintptr_t>(one) % kPage,
            reinterpret_cast<std::uintptr_t>(other) % kPage);
  free_array(one, kPage);
  free_array(other, kPage);
}

TEST(LargePages, KeepsWhatAVectorHeldWhenItGrows) {
  Array<float> numbers = {1, 2, 3};
  numbers.resize(kPage);
  const Array<float> copy = numbers;
  EXPECT_EQ(copy.size(), kPage);
  EXPECT_EQ(copy[2], 3);
  EXPECT_EQ(copy.back(), 0);
}

}  // namespace
}  // namespace gradus
