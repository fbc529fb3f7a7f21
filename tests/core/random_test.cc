#include "gradus/core/random.h"

#include <gtest/gtest.h>

namespace gradus {
namespace {

// Random123's published known answer for Philox 4x32-10 with counter and key zero.
TEST(Random, IsPhilox4x32Ten) {
  Random random(0, Purpose{0}, 0);
  EXPECT_EQ(random(), 0x6627e8d5u);
  EXPECT_EQ(random(), 0xe169c58du);
  EXPECT_EQ(random(), 0xbc57ac4cu);
  EXPECT_EQ(random(), 0x9b00dbd8u);
}

}  // namespace
}  // namespace gradus
