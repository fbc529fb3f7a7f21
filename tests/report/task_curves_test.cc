// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/task_curves.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/made_up.h"

namespace gradus::report {
namespace {

using ::testing::ElementsAre;

RunRecord with_tasks(int seed, std::vector<TaskMetrics> task_metrics) {
  RunRecord run = made_up_run("pg", seed, {});
  run.task_metrics = std::move(task_metrics);
  return run;
}

TEST(TaskViews, OfRepeatCopyAreByLengthAndByRepeats) {
  const std::vector<RunRecord> runs = {made_up_run("pg", 1, {})};
  const std::vector<TaskView> views = task_views(group_runs(runs).groups);
  ASSERT_EQ(views.size(), 2);
  EXPECT_EQ(views[0].label, "pattern length");
  EXPECT_EQ(views[0].rows[1].name, "2");
  EXPECT_THAT(views[0].rows[1].tasks, ElementsAre(2, 3));
  EXPECT_EQ(views[1].label, "repeats");
  EXPECT_THAT(views[1].rows[1].tasks, ElementsAre(1, 3));
}

TEST(TaskViews, OfManyTasksShowTheMostProbable) {
  RunRecord run = made_up_run("pg", 1, {}, {{"curriculum", "files"}});
  run.tasks.clear();
  TaskMetrics metrics;
  for (int i = 0; i < 50; ++i) {
    run.tasks.push_back("task " + std::to_string(i));
    metrics.policy.push_back(i == 45 ? 0.5 : 0.5 / 49);
  }
  run.task_metrics = {metrics};
  const std::vector<RunRecord> runs = {run};
  const std::vector<TaskView> views = task_views(group_runs(runs).groups);
  ASSERT_EQ(views[0].rows.size(), 40);
  EXPECT_EQ(views[0].rows[37].name, "task 37");
  EXPECT_EQ(views[0].rows[38].name, "task 45");
  EXPECT_EQ(views[0].rows[39].name, "11 other tasks");
  EXPECT_EQ(views[0].rows[39].tasks.size(), 11);
}

TEST(TaskViews, OfALineOfTasksHaveAnOrderedRowForEach) {
  RunRecord run = made_up_run("pg", 1, {}, {{"curriculum", "mine"}});
  run.description.axes = {{"depth", {1, 2, 3, 4}}};
  const std::vector<RunRecord> runs = {run};
  const std::vector<TaskView> views = task_views(group_runs(runs).groups);
  ASSERT_EQ(views.size(), 1u);
  EXPECT_EQ(views[0].label, "depth");
  EXPECT_TRUE(views[0].ordered);
  EXPECT_FALSE(views[0].combined);
  EXPECT_EQ(views[0].rows[2].name, "2,1");
}

TEST(TaskCurve, AddsProbabilitiesAndAveragesLosses) {
  const std::vector<RunRecord> runs = {with_tasks(1, {{0, {.1, .2, .3, .4}, {1, 2, 3, 4}, {}},
                                                      {10, {.3, .2, .1, .4}, {1, 2, 5, 6}, {}}}),
                                       with_tasks(2, {{0, {.2, .2, .2, .4}, {3, 2, 5, 4}, {}}})};
  const Group group = only_group(runs);
  const TaskRow row{"2", {2, 3}};
  const std::vector<double> grid = {0, 5};
  const std::vector<double> policy = task_curve(group, &TaskMetrics::policy, row, grid);
  EXPECT_DOUBLE_EQ(policy[0], (0.7 + 0.6) / 2);
  EXPECT_DOUBLE_EQ(policy[1], 0.6);  // first run only: halfway from 0.7 to 0.5
  const std::vector<double> loss = task_curve(group, &TaskMetrics::loss, row, grid);
  EXPECT_DOUBLE_EQ(loss[0], (3.5 + 4.5) / 2);
  EXPECT_DOUBLE_EQ(loss[1], 4.5);
  EXPECT_TRUE(std::isnan(task_curve(group, &TaskMetrics::error, row, grid)[0]));
}

TEST(TaskCurve, IsMeasuredOnlyWhereThereIsANumber) {
  const std::vector<RunRecord> runs = {with_tasks(
      1, {{0, {.25, .25, .25, .25}, {Metrics::kNone, Metrics::kNone, 1, Metrics::kNone}, {}}})};
  const std::vector<Group> groups = group_runs(runs).groups;
  EXPECT_TRUE(is_measured(groups, &TaskMetrics::policy));
  EXPECT_TRUE(is_measured(groups, &TaskMetrics::loss));
  EXPECT_FALSE(is_measured(groups, &TaskMetrics::error));
}

TEST(TimeBins, AverageOverARunsEvaluationsThenOverRuns) {
  std::vector<RunRecord> runs = {with_tasks(1, {{0, {.1, .2, .3, .4}, {}, {}},
                                                {9, {.3, .2, .1, .4}, {}, {}},
                                                {10, {1, 0, 0, 0}, {}, {}},
                                                {51, {0, 1, 0, 0}, {}, {}}}),
                                 with_tasks(2, {{0, {.5, .5, 0, 0}, {}, {}}})};
  for (RunRecord& run : runs) run.settings["steps"] = "50";
  const auto bins = time_bins(only_group(runs), &TaskMetrics::policy, 50, 5);
  ASSERT_EQ(bins.size(), 5);
  // The mean over the evaluations is 0.2 in the first run and 0.5 in the second.
  EXPECT_DOUBLE_EQ(bins[0][0], 0.35);
  EXPECT_DOUBLE_EQ(bins[1][0], 1);  // step 10 belongs to the second fifth
  EXPECT_TRUE(std::isnan(bins[2][0]));
  EXPECT_DOUBLE_EQ(bins[4][1], 1);  // the last batch went beyond the end
  for (RunRecord& run : runs) run.settings["steps"] = "100";
  const auto first_half = time_bins(only_group(runs), &TaskMetrics::policy, 50, 5);
  EXPECT_DOUBLE_EQ(first_half[1][0], 1);
  EXPECT_TRUE(std::isnan(first_half[4][1]));  // step 51 of a longer run is too late
}

}  // namespace
}  // namespace gradus::report
