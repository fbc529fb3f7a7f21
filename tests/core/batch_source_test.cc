// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/batch_source.h"

#include <map>
#include <stdexcept>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/core/fakes.h"

namespace gradus {
namespace {

using testing::Each;
using testing::ElementsAre;

constexpr int kTasks = 3;
constexpr int kBatch = 4;

BatchSource training_source(const Curriculum& curriculum, std::uint64_t seed = 5) {
  return {curriculum, Purpose::kTrainingBatch, Split::kTraining, kBatch, seed};
}

TEST(BatchSource, DrawsTheAskedTaskSplitAndNumber) {
  const FakeCurriculum curriculum(kTasks);
  BatchSource held_out(curriculum, Purpose::kHeldOutBatch, Split::kHeldOut, kBatch, 5);
  const Batch batch = held_out.next(2);
  EXPECT_EQ(batch.sequences, kBatch);
  EXPECT_EQ(batch.tokens[0], 2);
  EXPECT_EQ(batch.targets[0], 1u);
  EXPECT_THAT(training_source(curriculum).next(1).targets, Each(0u));
}

TEST(BatchSource, GivesTheStreamOfItsPurposeWithTheCountAsIndexAndTheTaskAsLane) {
  const FakeCurriculum curriculum(kTasks);
  BatchSource source = training_source(curriculum);
  source.next(1);
  Random random(5, Purpose::kTrainingBatch, 1, 1);
  EXPECT_EQ(source.next(1).bits, curriculum.sample(1, kBatch, Split::kTraining, random).bits);
}

RC_GTEST_PROP(BatchSource, KthBatchOfATaskDoesNotDependOnWhatElseWasAskedFor, ()) {
  const FakeCurriculum curriculum(kTasks);
  const auto asked = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, kTasks));
  BatchSource mixed = training_source(curriculum);
  std::map<int, BatchSource> alone;
  for (const int task : asked) {
    BatchSource& own = alone.try_emplace(task, training_source(curriculum)).first->second;
    RC_ASSERT(mixed.next(task).bits == own.next(task).bits);
  }
}

TEST(BatchSource, DifferentSeedsPurposesTasksAndCountsGiveDifferentBatches) {
  const FakeCurriculum curriculum(kTasks);
  BatchSource source = training_source(curriculum);
  BatchSource seed = training_source(curriculum, 6);
  BatchSource probes(curriculum, Purpose::kProbeBatch, Split::kTraining, kBatch, 5);
  const auto first = source.next(0).bits;
  EXPECT_NE(first, source.next(0).bits);
  EXPECT_NE(first, source.next(1).bits);
  EXPECT_NE(first, seed.next(0).bits);
  EXPECT_NE(first, probes.next(0).bits);
}

TEST(BatchSource, RestoredGoesOnWhereTheOtherStood) {
  const FakeCurriculum curriculum(kTasks);
  BatchSource source = training_source(curriculum);
  for (const int task : {0, 2, 2, 0, 2}) source.next(task);
  EXPECT_THAT(source.counts(), ElementsAre(2, 0, 3));
  BatchSource restored = training_source(curriculum);
  restored.restore(source.counts());
  for (const int task : {2, 1, 0}) EXPECT_EQ(source.next(task).bits, restored.next(task).bits);
}

TEST(BatchSource, RefusesCountsOfAnotherNumberOfTasksAndTasksThatAreNot) {
  const FakeCurriculum curriculum(kTasks);
  BatchSource source = training_source(curriculum);
  EXPECT_THROW(source.restore({1, 2}), std::logic_error);
  EXPECT_THROW(source.next(kTasks), std::out_of_range);
  EXPECT_THROW(source.next(-1), std::out_of_range);
  EXPECT_THAT(source.counts(), ElementsAre(0, 0, 0));
}

}  // namespace
}  // namespace gradus
