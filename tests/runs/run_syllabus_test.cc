// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/run_syllabus.h"

#include <gtest/gtest.h>

#include "gradus/curricula/repeat_copy.h"
#include "tests/refusal.h"

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

RunSettings four_tasks(const std::string& gain) {
  RunSettings settings;
  settings.gain = gain;
  settings.syllabus.epsilon = 0.2;
  std::get<RepeatCopySettings>(settings.curricula) = {.max_length = 2, .max_repeats = 2};
  settings.seed = 9;
  return settings;
}

TEST(SyllabusSettings, AreThoseOfTheRunWithTheRoundsThatItPlans) {
  RunSettings run = four_tasks("pg");
  const RepeatCopy curriculum(std::get<RepeatCopySettings>(run.curricula));
  const SyllabusSettings automatic = syllabus_settings(run, curriculum);
  EXPECT_EQ(automatic.policy, "exp3s");
  EXPECT_EQ(automatic.policy_settings.epsilon, 0.2);
  EXPECT_EQ(automatic.seed, 9u);
  EXPECT_EQ(automatic.rounds, planned_rounds(curriculum, run.steps, run.batch));
  run.syllabus.eta = 0.01;
  EXPECT_FALSE(syllabus_settings(run, curriculum).rounds);
}

TEST(SyllabusSettings, LeaveOutADefaultOfTheCurriculumThatThePolicyDoesNotRead) {
  RunSettings run = default_settings("files");
  const RepeatCopy curriculum({.max_length = 2, .max_repeats = 2});
  EXPECT_EQ(syllabus_settings(run, curriculum).policy_settings.epsilon, 0.4);
  run.policy = "exp3";
  EXPECT_EQ(syllabus_settings(run, curriculum).policy_settings.epsilon, PolicySettings{}.epsilon);
  run.syllabus.epsilon = 0.3;
  EXPECT_EQ(refusal_of([&] { syllabus_settings(run, curriculum); }),
            "policy exp3 has no setting epsilon");
}

TEST(SyllabusSettings, OfABaselineAreAPolicyThatLearnsNothing) {
  const RunSettings uniform = four_tasks("uniform");
  const RepeatCopy curriculum(std::get<RepeatCopySettings>(uniform.curricula));
  EXPECT_EQ(syllabus_settings(uniform, curriculum).policy, "uniform");
  EXPECT_FALSE(syllabus_settings(uniform, curriculum).rounds);
  const SyllabusSettings target = syllabus_settings(four_tasks("target"), curriculum);
  EXPECT_EQ(target.policy, "fixed");
  EXPECT_EQ(target.policy_settings.probabilities, (std::vector<double>{0, 0, 0, 1}));
}

}  // namespace
}  // namespace gradus
