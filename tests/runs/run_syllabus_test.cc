#include "gradus/runs/run_syllabus.h"

#include <gtest/gtest.h>

#include "gradus/curricula/repeat_copy.h"

namespace gradus {
namespace {

// A sequence of length L with R repeats has L + L R + 3 steps. The mean over all L and R up to 6 is
// 3.5 + 12.25 + 3 = 18.75; up to 13 it is 7 + 49 + 3 = 59.
TEST(PlannedRounds, AreStepsOverThoseOfAMeanBatch) {
  const RepeatCopy demo({.max_length = 6, .max_repeats = 6});
  EXPECT_EQ(planned_rounds(demo, 15'000'000, 32), 25'000u);
  const RepeatCopy paper({.max_length = 13, .max_repeats = 13});
  EXPECT_EQ(planned_rounds(paper, 1'100'000'000, 32), 582'627u);
}

TEST(PlannedRounds, AreOneAtLeast) {
  EXPECT_EQ(planned_rounds(RepeatCopy({}), 1, 32), 1u);
}

// Only 256 of the 10,000 tasks are sampled. The mean length is 50.5 + 2550.25 + 3 = 2603.75.
TEST(PlannedRounds, AreFoundFromSomeOfManyTasks) {
  const RepeatCopy many({.max_length = 100, .max_repeats = 100});
  const double rounds = 1e9 / (32 * 2603.75);
  EXPECT_NEAR(static_cast<double>(planned_rounds(many, 1'000'000'000, 32)), rounds, 0.05 * rounds);
}

}  // namespace
}  // namespace gradus
