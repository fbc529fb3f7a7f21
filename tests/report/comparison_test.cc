// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/comparison.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gradus/core/error.h"
#include "tests/report/made_up.h"

namespace gradus::report {
namespace {

// A run whose loss falls linearly from 6 to 0.1 at `steps`, and then to 0 at 1000.
RunRecord solved_after(const std::string& gain, int seed, std::int64_t steps) {
  return made_up_run(gain, seed, {{0, 6}, {steps, 0.1}, {1000, 0}});
}

RunRecord unsolved(const std::string& gain, int seed) {
  return made_up_run(gain, seed, {{0, 6}, {1000, 0.5}});
}

std::vector<Comparison> table(const std::vector<RunRecord>& runs,
                              const std::string& baseline = "uniform") {
  const std::vector<Group> groups = group_runs(runs).groups;
  return compare(groups, baseline, choose_goal(groups, baseline, "", std::nullopt));
}

TEST(Goal, OfRepeatCopyIsATargetLossOfATenth) {
  const std::vector<RunRecord> runs = {unsolved("pg", 1)};
  const Goal goal = choose_goal(group_runs(runs).groups, "uniform", "", std::nullopt);
  EXPECT_EQ(goal.measure.name, "target_loss");
  EXPECT_DOUBLE_EQ(goal.threshold.value(), 0.1);
}

TEST(Goal, OfOthersIsWhatEveryUniformRunCameTo) {
  const std::map<std::string, std::string> ngram = {{"curriculum", "ngram"}};
  std::vector<RunRecord> runs = {made_up_run("uniform", 1, {{0, 6}, {10, 2}}, ngram),
                                 made_up_run("uniform", 2, {{0, 6}, {10, 3}}, ngram),
                                 made_up_run("uniform", 3, {{0, 6}}, ngram),
                                 made_up_run("pg", 1, {{0, 6}, {10, 1}}, ngram)};
  runs[2].status = "running";
  const auto groups = group_runs(runs).groups;
  EXPECT_DOUBLE_EQ(choose_goal(groups, "uniform", "", std::nullopt).threshold.value(), 3);
  EXPECT_DOUBLE_EQ(choose_goal(groups, "uniform", "", 0.5).threshold.value(), 0.5);
  runs.erase(runs.begin(), runs.begin() + 3);
  EXPECT_FALSE(choose_goal(group_runs(runs).groups, "uniform", "", std::nullopt).threshold);
}

TEST(Goal, OfBabiIsTasksCompletedIfUniformSamplingCompletesAny) {
  std::vector<RunRecord> runs = {made_up_run("uniform", 1, {{0, 6}}, {{"curriculum", "babi"}}),
                                 made_up_run("uniform", 2, {{0, 6}}, {{"curriculum", "babi"}})};
  for (RunRecord& run : runs) {
    run.target.reset();
    run.description.measure = "tasks_completed";
  }
  runs[0].metrics[0].tasks_completed = 4;
  runs[1].metrics[0].tasks_completed = 3;
  const Goal goal = choose_goal(group_runs(runs).groups, "uniform", "", std::nullopt);
  EXPECT_EQ(goal.measure.name, "tasks_completed");
  EXPECT_DOUBLE_EQ(goal.threshold.value(), 3);
  runs[1].metrics[0].tasks_completed = 0;
  EXPECT_FALSE(choose_goal(group_runs(runs).groups, "uniform", "", std::nullopt).threshold);
}

TEST(Goal, RefusesMeasuresThatAreUnknownOrNotMeasured) {
  const std::vector<RunRecord> runs = {unsolved("pg", 1)};
  const auto groups = group_runs(runs).groups;
  const auto complaint = [&](const char* measure) -> std::string {
    try {
      choose_goal(groups, "uniform", measure, std::nullopt);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint("taget_loss"),
            "unknown measure \"taget_loss\"; did you mean \"target_loss\"?");
  EXPECT_EQ(complaint("mean_loss"),
            "no run has measured mean_loss yet; evaluation.all_tasks=true evaluates all tasks, not "
            "only the target");
}

TEST(Goal, IsWhatEveryRunOfTheBaselineCameTo) {
  const std::map<std::string, std::string> ngram = {{"curriculum", "ngram"}};
  const std::vector<RunRecord> runs = {made_up_run("uniform", 1, {{0, 6}, {10, 2}}, ngram),
                                       made_up_run("pg", 1, {{0, 6}, {10, 1}}, ngram),
                                       made_up_run("pg", 2, {{0, 6}, {10, 1.5}}, ngram)};
  const Goal goal = choose_goal(group_runs(runs).groups, "pg", "", std::nullopt);
  EXPECT_DOUBLE_EQ(goal.threshold.value(), 1.5);
  EXPECT_EQ(goal.origin, "reached by every run of pg");
}

TEST(Baseline, IsUniformUnlessAnotherArmIsNamed) {
  const std::vector<RunRecord> runs = {unsolved("pg", 1), unsolved("spg", 1), unsolved("l2g", 1),
                                       made_up_run("pg", 2, {}, {{"objective", "vi"}})};
  const std::vector<Group> groups = group_runs(runs).groups;
  EXPECT_EQ(choose_baseline(groups, ""), "uniform");
  EXPECT_EQ(choose_baseline(groups, "pg"), "pg");
  EXPECT_EQ(choose_baseline(groups, "pg, vi"), "pg, vi");
  try {
    choose_baseline(groups, "l2gg");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "unknown baseline \"l2gg\"; expected one of: \"l2g\" \"pg\" \"spg\" "
                 "\"l2g, ml\" \"pg, ml\" \"pg, vi\" \"spg, ml\"");
  }
}

// 600 * 800 * 900 = 4.32e8 and 300 * 500 * 400 = 6e7, and 4.32e8 / 6e7 = 7.2.
TEST(Comparison, IsTheRatioOfGeometricMeans) {
  const std::vector<Comparison> rows =
      table({solved_after("uniform", 1, 600), solved_after("uniform", 2, 800),
             solved_after("uniform", 3, 900), solved_after("pg", 1, 300),
             solved_after("pg", 2, 500), solved_after("pg", 3, 400)});
  EXPECT_NEAR(rows[0].typical, std::cbrt(4.32e8), 1e-6);
  EXPECT_EQ(rows[0].baseline, "uniform");
  EXPECT_FALSE(rows[0].speed_up);
  EXPECT_EQ(rows[1].reached, 3);
  EXPECT_DOUBLE_EQ(rows[1].steps.mean, 400);
  EXPECT_DOUBLE_EQ(rows[1].steps.deviation, 100);
  EXPECT_NEAR(rows[1].typical, std::cbrt(6e7), 1e-6);
  EXPECT_FALSE(rows[1].typical_is_bound);
  EXPECT_EQ(rows[1].baseline, "uniform");
  EXPECT_NEAR(rows[1].speed_up->ratio.value(), std::cbrt(7.2), 1e-9);
  EXPECT_EQ(rows[1].speed_up->bound, Bound::kNone);
  EXPECT_LT(rows[1].speed_up->interval->low, std::cbrt(7.2));
  EXPECT_GT(rows[1].speed_up->interval->high, std::cbrt(7.2));
  EXPECT_DOUBLE_EQ(rows[1].last.mean, 0);
}

TEST(Comparison, IsWithTheBaselineAskedFor) {
  const std::vector<Comparison> rows =
      table({solved_after("uniform", 1, 800), solved_after("pg", 1, 400)}, "pg");
  EXPECT_EQ(rows[0].baseline, "pg");
  EXPECT_NEAR(rows[0].speed_up->ratio.value(), 0.5, 1e-12);
  EXPECT_EQ(rows[1].baseline, "pg");
  EXPECT_FALSE(rows[1].speed_up);
}

TEST(Comparison, WithTooFewRunsThatReachedItIsABound) {
  const std::vector<Comparison> slow =
      table({solved_after("uniform", 1, 600), solved_after("uniform", 2, 800),
             solved_after("pg", 1, 400), unsolved("pg", 2)});
  EXPECT_EQ(slow[1].reached, 1);
  EXPECT_DOUBLE_EQ(slow[1].steps.mean, 700);  // 400 and more than 1000
  EXPECT_TRUE(slow[1].typical_is_bound);
  EXPECT_EQ(slow[1].speed_up->bound, Bound::kAtMost);
  EXPECT_NEAR(slow[1].speed_up->ratio.value(), std::sqrt(1.2), 1e-9);  // 600 * 800 / 400 / 1000
  EXPECT_FALSE(slow[1].speed_up->interval);

  const std::vector<Comparison> fast =
      table({unsolved("uniform", 1), unsolved("uniform", 2), solved_after("pg", 1, 400)});
  EXPECT_EQ(fast[0].reached, 0);
  EXPECT_EQ(fast[1].speed_up->bound, Bound::kAtLeast);
  EXPECT_NEAR(fast[1].speed_up->ratio.value(), 2.5, 1e-9);

  EXPECT_FALSE(table({unsolved("uniform", 1), unsolved("pg", 1)})[1].speed_up->ratio);
}

TEST(Comparison, CountsRunsThatFellShortIfEnoughReachedIt) {
  const std::vector<Comparison> rows = table(
      {solved_after("uniform", 1, 600), solved_after("uniform", 2, 800), unsolved("uniform", 3),
       solved_after("pg", 1, 300), solved_after("pg", 2, 400), solved_after("pg", 3, 500)});
  EXPECT_EQ(rows[0].reached, 2);
  EXPECT_FALSE(rows[0].typical_is_bound);
  EXPECT_GT(rows[0].typical, std::cbrt(600.0 * 800 * 1000));
  EXPECT_TRUE(rows[1].speed_up->interval);
}

TEST(Comparison, OfRunsWithoutAnEvaluationIsEmpty) {
  const auto rows = table({made_up_run("uniform", 1, {}), made_up_run("pg", 1, {})});
  EXPECT_EQ(rows[1].reached, 0);
  EXPECT_TRUE(std::isnan(rows[1].typical));
  EXPECT_FALSE(rows[1].speed_up->ratio);
  EXPECT_EQ(rows[1].last.n, 0);
}

}  // namespace
}  // namespace gradus::report
