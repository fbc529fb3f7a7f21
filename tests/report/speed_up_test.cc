// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/speed_up.h"

#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/report/coverage.h"

namespace gradus::report {
namespace {

Arm reached(const std::vector<double>& logs) {
  std::vector<Reach> runs;
  for (const double log : logs) runs.push_back({std::exp(log), true});
  return Arm(runs);
}

Arm with_short(const std::vector<double>& steps, const std::vector<double>& fell_short) {
  std::vector<Reach> runs;
  for (const double s : steps) runs.push_back({s, true});
  for (const double s : fell_short) runs.push_back({s, false});
  return Arm(runs);
}

// The variance of each mean is 1/3, which gives 4 degrees of freedom and t = 2.776445.
TEST(SpeedUp, OfRunsThatAllReachedItHasWelchsInterval) {
  const SpeedUp result = speed_up(reached({2, 3, 4}), reached({0, 1, 2}));
  EXPECT_NEAR(result.ratio.value(), std::exp(2), 1e-9);
  EXPECT_EQ(result.bound, Bound::kNone);
  EXPECT_NEAR(std::log(result.interval->low), 2 - 2.776445 * std::sqrt(2.0 / 3), 1e-6);
  EXPECT_NEAR(std::log(result.interval->high), 2 + 2.776445 * std::sqrt(2.0 / 3), 1e-6);
  EXPECT_EQ(result.remark, "");
}

// The variances of the means are 3 and 0, which gives 2 degrees of freedom and t = 4.302653.
TEST(SpeedUp, OverAnArmWithoutSpreadHasTheIntervalOfTheOther) {
  const SpeedUp result = speed_up(reached({0, 3, 6}), reached({1, 1, 1, 1, 1}));
  EXPECT_NEAR(result.ratio.value(), std::exp(2), 1e-9);
  EXPECT_NEAR(std::log(result.interval->low), 2 - 4.302653 * std::sqrt(3.0), 1e-6);
  EXPECT_EQ(speed_up(reached({2, 2, 2}), reached({1, 1, 1})).remark, "seeds do not differ");
}

TEST(SpeedUp, OfFewerThanThreeSeedsHasNoInterval) {
  for (const auto& [a, b] : {std::pair{reached({2, 3}), reached({0, 1, 2})},
                             std::pair{reached({1, 3, 3.5}), reached({0, 2})},
                             std::pair{reached({2.5}), reached({1})}}) {
    const SpeedUp result = speed_up(a, b);
    EXPECT_NEAR(result.ratio.value(), std::exp(1.5), 1e-9);
    EXPECT_FALSE(result.interval);
    EXPECT_EQ(result.remark, "too few seeds");
  }
}

TEST(SpeedUp, OverRunsThatFellShortIsLopsided) {
  const Arm slow = with_short({500, 900, 1100}, {1200, 1200});
  const Arm fast = with_short({300, 400, 500}, {});
  const SpeedUp result = speed_up(slow, fast);
  EXPECT_NEAR(result.ratio.value(), std::exp(slow.centre() - fast.centre()), 1e-12);
  ASSERT_TRUE(result.interval);
  EXPECT_GT(result.interval->high / *result.ratio, *result.ratio / result.interval->low);
  const SpeedUp inverse = speed_up(fast, slow);
  EXPECT_NEAR(inverse.interval->low, 1 / result.interval->high, 1e-9);
  EXPECT_NEAR(inverse.interval->high, 1 / result.interval->low, 1e-9);
}

TEST(SpeedUp, IsABoundIfOneArmHasTooFewReachedAndNothingIfBothHave) {
  const Arm known = with_short({400, 400, 400}, {});
  const Arm bounded = with_short({400}, {1000, 1000});
  const double ratio = std::cbrt(400.0 * 1000 * 1000) / 400;
  EXPECT_EQ(speed_up(bounded, known).bound, Bound::kAtLeast);
  EXPECT_NEAR(speed_up(bounded, known).ratio.value(), ratio, 1e-9);
  EXPECT_FALSE(speed_up(bounded, known).interval);
  EXPECT_EQ(speed_up(bounded, known).remark, "too few runs reached it");
  EXPECT_EQ(speed_up(known, bounded).bound, Bound::kAtMost);
  EXPECT_NEAR(speed_up(known, bounded).ratio.value(), 1 / ratio, 1e-9);
  EXPECT_FALSE(speed_up(bounded, bounded).ratio);
  EXPECT_FALSE(speed_up(known, with_short({}, {0, 0, 0})).ratio);
  EXPECT_EQ(speed_up(known, with_short({0, 5, 9}, {})).remark, "reached at step 0");
}

// Expects a coverage between 93% and `most`, within three standard errors of the simulated count.
void expect_honest(const MadeUpPair& pair, int simulations, double most = 0.97) {
  const Coverage coverage = simulate_coverage(pair, simulations);
  const auto error = [&](double share) {
    return std::sqrt(share * (1 - share) / coverage.intervals);
  };
  SCOPED_TRACE(testing::Message() << pair.baseline.runs << " and " << pair.arm.runs << " runs, "
                                  << pair.baseline.deviation << ", short "
                                  << pair.baseline.falls_short << " " << pair.arm.falls_short);
  EXPECT_GE(coverage.share(), 0.93 - 3 * error(0.93));
  EXPECT_LE(coverage.share(), most + 3 * error(most));
}

TEST(Coverage, OfRunsThatAllReachedItIs95Percent) {
  for (const int runs : {3, 5, 10}) {
    for (const double deviation : {1.0, 3.0}) {
      expect_honest({{runs, deviation, 0}, {runs, 1, 0}}, 2000);
    }
    expect_honest({{3, 3, 0}, {runs, 1, 0}}, 2000);
    expect_honest({{runs, 3, 0}, {runs, 1, 0}, true}, 2000);
  }
}

TEST(Coverage, OfRunsOfWhichSomeFellShortIs95Percent) {
  for (const int runs : {3, 5, 10}) {
    for (const double deviation : {1.0, 3.0}) {
      expect_honest({{runs, deviation, 0.1}, {runs, 1, 0}}, 1000);
      expect_honest({{runs, deviation, 0.3}, {runs, 1, 0}}, 1000);
      expect_honest({{runs, deviation, 0}, {runs, 1, 0.3}}, 1000);
      expect_honest({{runs, deviation, 0.1}, {runs, 1, 0.1}}, 1000);
    }
    expect_honest({{runs, 3, 0.3}, {runs, 1, 0}, true}, 1000);
    expect_honest({{runs, 1, 0.1}, {runs, 1, 0.1}, false, true}, 1000);
  }
}

// With few runs, many of them short of the threshold in both arms, the interval is wider than
// necessary, never narrower.
TEST(Coverage, OfManyRunsThatFellShortIsNoLess) {
  for (const int runs : {3, 5, 10}) {
    expect_honest({{runs, 1, 0.3}, {runs, 1, 0.3}}, 1000, runs < 10 ? 0.985 : 0.97);
    expect_honest({{runs, 3, 0.3}, {runs, 1, 0.3}}, 1000, runs < 10 ? 0.985 : 0.97);
  }
}

}  // namespace
}  // namespace gradus::report
