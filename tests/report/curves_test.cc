// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/curves.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/made_up.h"

namespace gradus::report {
namespace {

using ::testing::ElementsAre;

TEST(StepGrid, EndsWhereTheSettingsEndTheLongestRun) {
  // The last batch goes slightly beyond the end, by a different amount in each run.
  const std::vector<RunRecord> runs = {
      made_up_run("pg", 1, {{0, 5}, {52, 4}, {103, 3}}, {{"steps", "100"}}),
      made_up_run("pg", 2, {{0, 5}, {51, 4}, {101, 3}}, {{"steps", "100"}})};
  EXPECT_THAT(step_grid(group_runs(runs).groups, 300), ElementsAre(0, 50, 100));
}

TEST(StepGrid, HasNoMorePointsThanAsked) {
  std::vector<std::pair<std::int64_t, double>> losses;
  for (int i = 0; i <= 1000; ++i) losses.emplace_back(i, 1);
  const std::vector<RunRecord> runs = {made_up_run("pg", 1, losses)};
  const std::vector<double> grid = step_grid(group_runs(runs).groups, 5);
  EXPECT_THAT(grid, ElementsAre(0, 250, 500, 750, 1000));
}

TEST(StepGrid, OfRunsThatHaveJustBegun) {
  const std::vector<RunRecord> none = {made_up_run("pg", 1, {})};
  EXPECT_TRUE(step_grid(group_runs(none).groups, 300).empty());
  const std::vector<RunRecord> first = {made_up_run("pg", 1, {{0, 5}})};
  EXPECT_THAT(step_grid(group_runs(first).groups, 300), ElementsAre(0));
}

TEST(MeanCurve, IsOverTheRunsThatHaveComeThatFar) {
  const std::vector<RunRecord> runs = {made_up_run("pg", 1, {{0, 6}, {100, 4}, {200, 2}}),
                                       made_up_run("pg", 2, {{0, 4}, {120, 1}})};
  const Group group = only_group(runs);
  const std::vector<Spread> curve =
      group_curve(group, &Metrics::target_loss, std::vector<double>{0, 80, 160}).spread;
  EXPECT_DOUBLE_EQ(curve[0].mean, 5);
  EXPECT_DOUBLE_EQ(curve[0].deviation, std::sqrt(2.0));
  // At 80 the runs are at 6 - 0.8 * 2 = 4.4 and 4 - 2/3 * 3 = 2.
  EXPECT_DOUBLE_EQ(curve[1].mean, 3.2);
  EXPECT_EQ(curve[1].n, 2);
  EXPECT_DOUBLE_EQ(curve[2].mean, 2.8);
  EXPECT_EQ(curve[2].n, 1);
}

TEST(MeanCurve, CountsARunThatSolvedTheTargetWithItsLastValue) {
  const std::map<std::string, std::string> stops = {{"stop.target_loss", "0.01"}};
  std::vector<RunRecord> runs = {made_up_run("pg", 1, {{0, 6}, {100, 4}, {200, 2}}, stops),
                                 made_up_run("pg", 2, {{0, 4}, {100, 0}}, stops)};
  const std::vector<double> grid = {0, 100, 200};
  EXPECT_EQ(group_curve(only_group(runs), &Metrics::target_loss, grid).spread[2].n, 2);
  EXPECT_DOUBLE_EQ(group_curve(only_group(runs), &Metrics::target_loss, grid).spread[2].mean, 1);
  runs[1].status = "stopped";  // it may still change
  EXPECT_DOUBLE_EQ(group_curve(only_group(runs), &Metrics::target_loss, grid).spread[2].mean, 2);
}

}  // namespace
}  // namespace gradus::report
