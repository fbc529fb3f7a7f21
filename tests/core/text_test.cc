// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/text.h"

#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradus {
namespace {

using ::testing::ElementsAre;

TEST(Text, IsANumberOnlyAsAWhole) {
  EXPECT_EQ(parse_number<int>("-12"), -12);
  EXPECT_EQ(parse_number<double>("1e-3"), 1e-3);
  for (const char* text : {"", " 1", "1 ", "+1", "1.5", "0x1", "one", "2147483648"}) {
    EXPECT_FALSE(parse_number<int>(text)) << text;
  }
  EXPECT_EQ(parse_number<std::int64_t>("2147483648"), 2147483648);
}

TEST(Text, HasOnePartMoreThanSeparators) {
  EXPECT_THAT(split("a,bc", ','), ElementsAre("a", "bc"));
  EXPECT_THAT(split(",a,,b,", ','), ElementsAre("", "a", "", "b", ""));
  EXPECT_THAT(split("", ','), ElementsAre(""));
}

}  // namespace
}  // namespace gradus
