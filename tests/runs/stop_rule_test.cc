// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/stop_rule.h"

#include <gtest/gtest.h>

#include "gradus/core/error.h"

namespace gradus {
namespace {

// Shows the rule a loss every 10 steps, from step 0 on, and returns when it is first reached; -1 if
// never.
std::int64_t end_of(const StopSettings& settings, const std::vector<double>& losses) {
  StopRule rule(settings);
  std::int64_t steps = 0;
  for (const double loss : losses) {
    rule.see(steps, loss);
    if (rule.reached(steps)) return steps;
    steps += 10;
  }
  return -1;
}

TEST(StopRule, EndsOnceEveryEvaluationDuringTheStepsWasBelow) {
  const StopSettings settings{.target_loss = 0.5, .after = 30};
  EXPECT_EQ(end_of(settings, {1, .4, .4, .4, .4, .4}), 40);
  EXPECT_EQ(end_of(settings, {1, .4, .4, .4, 1, .4, .4, .4, .4}), 80);
  EXPECT_EQ(end_of(settings, {.4, .4, .5, .4, .4, .4}), -1);  // 0.5 is not below 0.5
}

TEST(StopRule, EndsAtTheFirstEvaluationBelowIfItNeedNotStayThere) {
  EXPECT_EQ(end_of({.target_loss = 0.5}, {1, 1, .4}), 20);
}

TEST(StopRule, NeverEndsWithoutAGoalOrBeforeTheStepsHavePassed) {
  EXPECT_EQ(end_of({}, {0, 0, 0}), -1);
  EXPECT_EQ(end_of({.target_loss = 0.5, .after = 30, .share = 0.01}, {.4, .4, .4}), -1);
}

TEST(StopRule, OfAShareNeedsOnlySoManyEvaluationsBelow) {
  // Four evaluations count: those 0, 10, 20 and 30 steps ago.
  StopSettings settings{.target_loss = 0.5, .after = 30, .share = 0.75};
  EXPECT_EQ(end_of(settings, {1, 1, .4, .4, 1, .4}), 50);
  EXPECT_EQ(end_of(settings, {1, .4, 1, .4, 1, .4, 1}), -1);
  settings.share = 0.5;
  EXPECT_EQ(end_of(settings, {1, 1, .4, 1, .4, 1}), 40);
}

// A run may reach the end between two evaluations.
TEST(StopRule, CountsStepsBetweenEvaluations) {
  StopRule rule({.target_loss = 0.5, .after = 25});
  for (const std::int64_t steps : {0, 10, 20}) rule.see(steps, 0.4);
  EXPECT_FALSE(rule.reached(24));
  EXPECT_TRUE(rule.reached(25));
}

TEST(StopRule, GoesOnFromItsSavedState) {
  const StopSettings settings{.target_loss = 0.5, .after = 30, .share = 0.75};
  StopRule before(settings);
  before.see(0, 1);
  before.see(10, .4);
  before.see(20, 1);
  StopRule rule(settings);
  rule.see(5, .4);
  rule.restore(before.save());
  EXPECT_EQ(rule.save(), before.save());
  rule.see(30, .4);
  EXPECT_FALSE(rule.reached(30));
  rule.see(40, .4);
  EXPECT_TRUE(rule.reached(40));
}

TEST(StopRule, KeepsOnlyEvaluationsThatStillCount) {
  StopRule rule({.target_loss = 0.5, .after = 30});
  for (std::int64_t steps = 0; steps < 10'000; steps += 10) rule.see(steps, 1);
  EXPECT_EQ(rule.save().size(), 4u);
}

TEST(StopRule, RefusesADamagedState) {
  StopRule rule({.target_loss = 0.5});
  for (const char* text : {"3", "[3]", "[[3]]", "[[3, 1]]", "[[-1, true]]", "[[3.5, true]]",
                           "[[3, true], [2, true]]", "[[18446744073709551615, true]]"}) {
    EXPECT_THROW(rule.restore(nlohmann::json::parse(text)), InputError) << text;
  }
}

}  // namespace
}  // namespace gradus
