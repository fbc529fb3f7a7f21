#include "gradus/report/comparison.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gradus/core/error.h"
#include "tests/report/made_up.h"

namespace gradus::report {
namespace {

// A run whose loss falls from 6 to 0.1 over `steps` in a line, and on to 0.
RunRecord solved_after(const std::string& gain, int seed, std::int64_t steps) {
  return made_up_run(gain, seed, {{0, 6}, {steps, 0.1}, {1000, 0}});
}

RunRecord unsolved(const std::string& gain, int seed) {
  return made_up_run(gain, seed, {{0, 6}, {1000, 0.5}});
}

std::vector<Comparison> table(const std::vector<RunRecord>& runs) {
  const std::vector<Group> groups = group_runs(runs).groups;
  return compare(groups, choose_goal(groups, "", std::nullopt));
}

TEST(Goal, OfRepeatCopyIsATargetLossOfATenth) {
  const std::vector<RunRecord> runs = {unsolved("pg", 1)};
  const Goal goal = choose_goal(group_runs(runs).groups, "", std::nullopt);
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
  EXPECT_DOUBLE_EQ(choose_goal(groups, "", std::nullopt).threshold.value(), 3);
  EXPECT_DOUBLE_EQ(choose_goal(groups, "", 0.5).threshold.value(), 0.5);
  runs.erase(runs.begin(), runs.begin() + 3);
  EXPECT_FALSE(choose_goal(group_runs(runs).groups, "", std::nullopt).threshold);
}

TEST(Goal, OfBabiIsTasksCompletedIfUniformSamplingCompletesAny) {
  std::vector<RunRecord> runs = {made_up_run("uniform", 1, {{0, 6}}, {{"curriculum", "babi"}}),
                                 made_up_run("uniform", 2, {{0, 6}}, {{"curriculum", "babi"}})};
  for (RunRecord& run : runs) run.target.reset();
  runs[0].metrics[0].tasks_completed = 4;
  runs[1].metrics[0].tasks_completed = 3;
  const Goal goal = choose_goal(group_runs(runs).groups, "", std::nullopt);
  EXPECT_EQ(goal.measure.name, "tasks_completed");
  EXPECT_DOUBLE_EQ(goal.threshold.value(), 3);
  runs[1].metrics[0].tasks_completed = 0;
  EXPECT_FALSE(choose_goal(group_runs(runs).groups, "", std::nullopt).threshold);
}

TEST(Goal, RefusesMeasuresThatAreUnknownOrNotMeasured) {
  const std::vector<RunRecord> runs = {unsolved("pg", 1)};
  const auto groups = group_runs(runs).groups;
  const auto complaint = [&](const char* measure) -> std::string {
    try {
      choose_goal(groups, measure, std::nullopt);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint("taget_loss"),
            "unknown measure \"taget_loss\"; did you mean \"target_loss\"?");
  EXPECT_EQ(complaint("mean_loss"),
            "no run has measured mean_loss yet; other tasks than the target are evaluated with "
            "evaluation.all_tasks=true");
}

TEST(Comparison, IsTheRatioOfMeanSteps) {
  const std::vector<Comparison> rows =
      table({solved_after("uniform", 1, 600), solved_after("uniform", 2, 800),
             solved_after("pg", 1, 300), solved_after("pg", 2, 500), solved_after("pg", 3, 400)});
  EXPECT_DOUBLE_EQ(rows[0].steps.mean, 700);
  EXPECT_FALSE(rows[0].speed_up);
  EXPECT_EQ(rows[1].reached, 3);
  EXPECT_DOUBLE_EQ(rows[1].steps.mean, 400);
  EXPECT_DOUBLE_EQ(rows[1].steps.deviation, 100);
  EXPECT_EQ(rows[1].uniform, "uniform");
  EXPECT_DOUBLE_EQ(rows[1].speed_up->ratio, 1.75);
  EXPECT_EQ(rows[1].speed_up->bound, Bound::kExact);
  // No resample is faster than 800 / 300 or slower than 600 / 500.
  EXPECT_GE(rows[1].speed_up->interval->low, 600.0 / 500);
  EXPECT_LT(rows[1].speed_up->interval->low, 1.75);
  EXPECT_GT(rows[1].speed_up->interval->high, 1.75);
  EXPECT_LE(rows[1].speed_up->interval->high, 800.0 / 300);
  EXPECT_DOUBLE_EQ(rows[1].last.mean, 0);
}

TEST(Comparison, WithRunsThatFellShortIsABound) {
  const std::vector<Comparison> slow =
      table({solved_after("uniform", 1, 600), solved_after("uniform", 2, 800),
             solved_after("pg", 1, 400), unsolved("pg", 2)});
  EXPECT_EQ(slow[1].reached, 1);
  EXPECT_DOUBLE_EQ(slow[1].steps.mean, 700);  // 400 and more than 1000
  EXPECT_EQ(slow[1].speed_up->bound, Bound::kAtMost);
  EXPECT_DOUBLE_EQ(slow[1].speed_up->ratio, 1);
  EXPECT_FALSE(slow[1].speed_up->interval);

  const std::vector<Comparison> fast =
      table({unsolved("uniform", 1), unsolved("uniform", 2), solved_after("pg", 1, 400)});
  EXPECT_EQ(fast[0].reached, 0);
  EXPECT_EQ(fast[1].speed_up->bound, Bound::kAtLeast);
  EXPECT_DOUBLE_EQ(fast[1].speed_up->ratio, 2.5);

  EXPECT_FALSE(table({unsolved("uniform", 1), unsolved("pg", 1)})[1].speed_up);
}

TEST(Comparison, OfSingleRunsHasNoInterval) {
  const auto rows = table({solved_after("uniform", 1, 600), solved_after("pg", 1, 300)});
  EXPECT_DOUBLE_EQ(rows[1].speed_up->ratio, 2);
  EXPECT_FALSE(rows[1].speed_up->interval);
}

TEST(Comparison, OfRunsWithoutAnEvaluationIsEmpty) {
  const auto rows = table({made_up_run("uniform", 1, {}), made_up_run("pg", 1, {})});
  EXPECT_EQ(rows[1].reached, 0);
  EXPECT_FALSE(rows[1].speed_up);
  EXPECT_EQ(rows[1].last.n, 0);
}

}  // namespace
}  // namespace gradus::report
