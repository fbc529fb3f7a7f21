// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/series.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/report/made_up.h"

namespace gradus::report {
namespace {

TEST(Series, LeavesOutEvaluationsWithoutTheNumber) {
  const Series series = series_of(made_up_run("pg", 1, {{0, 5}, {10, Metrics::kNone}, {20, 3}}),
                                  &Metrics::target_loss);
  EXPECT_EQ(series.steps, (std::vector<double>{0, 20}));
  EXPECT_EQ(series.values, (std::vector<double>{5, 3}));
}

TEST(Series, IsLinearBetweenEvaluationsAndUnknownOutside) {
  const Series series{{10, 20, 40}, {6, 4, 0}};
  EXPECT_DOUBLE_EQ(value_at(series, 10), 6);
  EXPECT_DOUBLE_EQ(value_at(series, 15), 5);
  EXPECT_DOUBLE_EQ(value_at(series, 25), 3);
  EXPECT_DOUBLE_EQ(value_at(series, 40), 0);
  EXPECT_TRUE(std::isnan(value_at(series, 9)));
  EXPECT_TRUE(std::isnan(value_at(series, 41)));
  EXPECT_TRUE(std::isnan(value_at(Series{}, 0)));
}

TEST(StepsToReach, IsWhereTheLineCrossesFirst) {
  // The line from (100, 4) to (200, 2) reaches 2.5 at three quarters of the way.
  const Series series{{0, 100, 200, 300, 400}, {6, 4, 2, 5, 1}};
  EXPECT_DOUBLE_EQ(steps_to_reach(series, 2.5, false).value(), 175);
  EXPECT_DOUBLE_EQ(steps_to_reach(series, 2, false).value(), 200);
  EXPECT_DOUBLE_EQ(steps_to_reach(series, 1.5, false).value(), 387.5);
  EXPECT_DOUBLE_EQ(steps_to_reach(series, 6, false).value(), 0);
  EXPECT_FALSE(steps_to_reach(series, 0.9, false));
}

TEST(StepsToReach, RisesToTasksCompleted) {
  const Series series{{0, 100, 200}, {0, 4, 8}};
  EXPECT_DOUBLE_EQ(steps_to_reach(series, 5, true).value(), 125);
  EXPECT_DOUBLE_EQ(steps_to_reach(series, 8, true).value(), 200);
  EXPECT_FALSE(steps_to_reach(series, 9, true));
}

TEST(StepsToReach, DrawsNoLineFromInfinity) {
  const Series series{{0, 100}, {std::numeric_limits<double>::infinity(), 1}};
  EXPECT_DOUBLE_EQ(steps_to_reach(series, 2, false).value(), 100);
}

}  // namespace
}  // namespace gradus::report
