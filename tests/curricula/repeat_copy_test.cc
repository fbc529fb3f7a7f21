#include "gradus/curricula/repeat_copy.h"

#include <gtest/gtest.h>

namespace gradus {
namespace {

TEST(RepeatCopy, HasOneTaskForEachLengthAndCountWithTheLargestAsTarget) {
  const RepeatCopy curriculum({.max_length = 13, .max_repeats = 13});
  EXPECT_EQ(curriculum.tasks().size(), 169u);
  EXPECT_EQ(curriculum.tasks()[*curriculum.target()], "13,13");
  EXPECT_EQ(curriculum.tasks()[14], "2,2");
}

}  // namespace
}  // namespace gradus
