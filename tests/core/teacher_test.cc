// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/teacher.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/core/fakes.h"

namespace gradus {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kTasks = 4;
constexpr int kTarget = 2;
constexpr int kBatch = 3;
constexpr std::uint64_t kSeed = 17;

double drop_in_loss(const Measurements& m) {
  return m.loss_before - m.loss_after;
}

// A teacher with everything that it needs. The test can reach the policy and the scale.
struct Classroom {
  explicit Classroom(std::vector<double> p = {0.25, 0.25, 0.25, 0.25})
      : policy(new FakePolicy(std::move(p))),
        scale(new FakeScale),
        syllabus(curriculum.tasks(), std::unique_ptr<Policy>(policy),
                 std::unique_ptr<RewardScale>(scale), kSeed) {}

  Teacher teacher(Gain* gain) { return {syllabus, curriculum, learner, gain, kBatch, kSeed}; }

  FakeCurriculum curriculum{kTasks, kTarget};
  FakeLearner learner;
  FakePolicy* policy;
  FakeScale* scale;
  Syllabus syllabus;
};

TEST(Teacher, TrainsOnABatchOfTheTaskThatTheSyllabusDraws) {
  Classroom room({0, 1, 0, 0});
  FakeGain gain({.loss_after = true}, drop_in_loss);
  Teacher teacher = room.teacher(&gain);
  BatchSource expected(room.curriculum, Purpose::kTrainingBatch, Split::kTraining, kBatch, kSeed);
  for (int round = 0; round < 3; ++round) {
    const Lesson lesson = teacher.teach();
    const Batch batch = expected.next(1);
    EXPECT_EQ(lesson.task, 1);
    EXPECT_EQ(lesson.input_steps, batch.input_steps());
    EXPECT_EQ(lesson.outputs, batch.outputs());
    EXPECT_EQ(room.learner.calls.back().batch.bits, batch.bits);
    EXPECT_EQ(room.learner.calls.back().batch.tokens, batch.tokens);
  }
}

TEST(Teacher, DrawsTasksAsTheSyllabusWould) {
  Classroom room({0.1, 0.2, 0.3, 0.4});
  Classroom twin({0.1, 0.2, 0.3, 0.4});
  FakeGain gain({.loss_after = true}, drop_in_loss);
  Teacher teacher = room.teacher(&gain);
  for (int round = 0; round < 50; ++round) {
    EXPECT_EQ(teacher.teach().task, twin.syllabus.draw().task);
  }
}

// Progress is 4 - 1 = 3 and cost the longest input; the fake scale divides by ten.
TEST(Teacher, RewardsProgressDividedByTheLongestInput) {
  Classroom room;
  FakeGain gain({.loss_after = true}, drop_in_loss);
  Teacher teacher = room.teacher(&gain);
  for (int round = 0; round < 20; ++round) {
    const Lesson lesson = teacher.teach();
    const auto& lengths = room.learner.calls.back().batch.lengths;
    const double longest = *std::max_element(lengths.begin(), lengths.end());
    EXPECT_EQ(lesson.progress, 3);
    EXPECT_EQ(lesson.reward.raw, 3 / longest);
    EXPECT_EQ(lesson.reward.scaled, 3 / longest / 10);
    EXPECT_EQ(room.policy->updates.back(),
              (FakePolicy::Update{lesson.task, 0.25, 3 / longest / 10}));
    EXPECT_THAT(lesson.refusal, IsEmpty());
  }
  EXPECT_EQ(room.syllabus.rounds(), 20u);
  EXPECT_EQ(room.syllabus.outstanding(), 0u);
}

TEST(Teacher, AsksTheLearnerForExactlyWhatTheGainNeeds) {
  for (const bool loss_after : {false, true}) {
    for (const Probe probe : {Probe::kNone, Probe::kSameTask, Probe::kHeldOut, Probe::kTargetTask,
                              Probe::kRandomTask}) {
      Classroom room;
      FakeGain gain({.loss_after = loss_after, .probe = probe},
                    [](const Measurements&) { return 1.0; });
      room.teacher(&gain).teach();
      const FakeLearner::Call& call = room.learner.calls.at(0);
      EXPECT_EQ(call.needs.loss_after, loss_after);
      EXPECT_EQ(call.needs.probe, probe);
      EXPECT_EQ(call.probe.has_value(), probe != Probe::kNone);
    }
  }
}

// The probe's tokens give its task.
std::vector<int> probed_tasks(Classroom& room, Probe probe, int rounds) {
  FakeGain gain({.probe = probe},
                [](const Measurements& m) { return m.probe_before - m.probe_after; });
  Teacher teacher = room.teacher(&gain);
  std::vector<int> tasks;
  for (int round = 0; round < rounds; ++round) {
    EXPECT_EQ(teacher.teach().progress, 6);
    const FakeLearner::Call& call = room.learner.calls.back();
    EXPECT_EQ(call.probe->sequences, kBatch);
    EXPECT_EQ(call.probe->targets[0], probe == Probe::kHeldOut ? 1u : 0u) << "from the wrong split";
    tasks.push_back(call.probe->tokens[0]);
  }
  return tasks;
}

TEST(Teacher, DrawsAProbeOfTheSizeThatTheGainNeeds) {
  for (const auto& [part, sequences] : {std::pair(1, kBatch), {2, kBatch / 2}, {kBatch + 1, 1}}) {
    Classroom room;
    FakeGain gain({.probe = Probe::kHeldOut, .probe_divisor = part},
                  [](const Measurements&) { return 1.0; });
    room.teacher(&gain).teach();
    EXPECT_EQ(room.learner.calls.at(0).batch.sequences, kBatch);
    EXPECT_EQ(room.learner.calls.at(0).probe->sequences, sequences);
  }
}

TEST(Teacher, DrawsAProbeOfTheSameTaskThatIsNotTheTrainingBatch) {
  for (const Probe probe : {Probe::kSameTask, Probe::kHeldOut}) {
    Classroom room;
    const std::vector<int> tasks = probed_tasks(room, probe, 30);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      EXPECT_EQ(tasks[i], room.learner.calls[i].batch.tokens[0]);
      EXPECT_NE(room.learner.calls[i].probe->bits, room.learner.calls[i].batch.bits);
    }
  }
}

TEST(Teacher, DrawsAProbeOfTheTargetTask) {
  Classroom room;
  EXPECT_THAT(probed_tasks(room, Probe::kTargetTask, 30), testing::Each(kTarget));
}

// Chi-square with 3 degrees of freedom, no matter what the policy draws; 21.1 is its 1 - 1e-4
// quantile.
TEST(Teacher, DrawsAProbeOfATaskUniformlyAtRandom) {
  Classroom room({0, 1, 0, 0});
  std::vector<double> counts(kTasks);
  constexpr int kRounds = 4000;
  for (const int task : probed_tasks(room, Probe::kRandomTask, kRounds)) ++counts[task];
  constexpr double kExpected = 1.0 * kRounds / kTasks;
  double chi_square = 0;
  for (const double count : counts) chi_square += std::pow(count - kExpected, 2) / kExpected;
  EXPECT_LT(chi_square, 21.1);
}

TEST(Teacher, TrainingBatchesDoNotDependOnTheGain) {
  Classroom plain;
  Classroom probing;
  FakeGain gain({.probe = Probe::kRandomTask}, [](const Measurements&) { return 1.0; });
  Teacher without = plain.teacher(nullptr);
  Teacher with = probing.teacher(&gain);
  for (int round = 0; round < 20; ++round) {
    without.teach();
    with.teach();
    EXPECT_EQ(plain.learner.calls.back().batch.bits, probing.learner.calls.back().batch.bits);
  }
}

TEST(Teacher, WithoutAGainMeasuresNothingAndNeverUpdatesThePolicy) {
  Classroom room;
  Teacher teacher = room.teacher(nullptr);
  for (int round = 0; round < 10; ++round) {
    const Lesson lesson = teacher.teach();
    EXPECT_THAT(lesson.refusal, IsEmpty());
    EXPECT_EQ(lesson.reward.raw, 0);
    EXPECT_FALSE(room.learner.calls.back().needs.loss_after);
    EXPECT_EQ(room.learner.calls.back().needs.probe, Probe::kNone);
    EXPECT_FALSE(room.learner.calls.back().probe);
  }
  EXPECT_THAT(room.policy->updates, IsEmpty());
  EXPECT_THAT(room.scale->raws, IsEmpty());
  EXPECT_EQ(room.syllabus.rounds(), 0u);
  EXPECT_EQ(room.syllabus.outstanding(), 0u);
}

TEST(Teacher, ReportsARefusedRewardLeavesThePolicyAndGoesOn) {
  Classroom room({0, 0, 0, 1});
  FakeGain gain({.loss_after = true}, drop_in_loss);
  Teacher teacher = room.teacher(&gain);
  room.learner.answer.loss_after = std::nan("");
  const Lesson refused = teacher.teach();
  EXPECT_THAT(refused.refusal, HasSubstr("task3"));
  EXPECT_THAT(refused.refusal, HasSubstr("progress is nan"));
  EXPECT_TRUE(std::isnan(refused.progress));
  EXPECT_EQ(refused.task, 3);
  EXPECT_GT(refused.input_steps, 0);
  EXPECT_THAT(room.policy->updates, IsEmpty());
  EXPECT_THAT(room.scale->raws, IsEmpty());
  EXPECT_EQ(room.syllabus.outstanding(), 0u);

  room.learner.answer.loss_after = 1;
  EXPECT_THAT(teacher.teach().refusal, IsEmpty());
  EXPECT_EQ(room.policy->updates.size(), 1u);
}

TEST(Teacher, RefusesAGainThatReadsWhatItDidNotAskFor) {
  Classroom room;
  room.learner.answer = {.loss_before = 4};
  FakeGain gain({}, drop_in_loss);
  EXPECT_THAT(room.teacher(&gain).teach().refusal, HasSubstr("progress is nan"));
}

TEST(Teacher, RefusesATargetGainWhereTheCurriculumHasNoTarget) {
  Classroom room;
  room.curriculum = FakeCurriculum(kTasks);
  FakeGain gain({.probe = Probe::kTargetTask}, [](const Measurements&) { return 1.0; });
  try {
    room.teacher(&gain);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("target"));
    EXPECT_THAT(error.what(), HasSubstr("curriculum fake"));
  }
}

RC_GTEST_PROP(Teacher, IsAFunctionOfItsSeed, (std::uint64_t seed)) {
  FakeGain gain({.probe = Probe::kRandomTask}, [](const Measurements&) { return 1.0; });
  Classroom a;
  Classroom b;
  Teacher first(a.syllabus, a.curriculum, a.learner, &gain, kBatch, seed);
  Teacher second(b.syllabus, b.curriculum, b.learner, &gain, kBatch, seed);
  for (int round = 0; round < 5; ++round) {
    first.teach();
    second.teach();
    RC_ASSERT(a.learner.calls.back().batch.bits == b.learner.calls.back().batch.bits);
    RC_ASSERT(a.learner.calls.back().probe->bits == b.learner.calls.back().probe->bits);
  }
}

}  // namespace
}  // namespace gradus
