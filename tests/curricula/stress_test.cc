// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/stress.h"

#include <map>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/core/batch_source.h"
#include "tests/refusal.h"

namespace gradus {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Eq;
using testing::Pair;
using testing::SizeIs;

Batch many(const Stress& curriculum, int task, Split split = Split::kTraining) {
  Random random(1, Purpose::kSample, 0);
  return curriculum.sample(task, 100, split, random);
}

// Which outputs each input has.
using Answers = std::map<std::int32_t, std::set<std::uint32_t>>;

Answers answers_of(const Batch& batch) {
  Answers answers;
  for (std::size_t i = 0; i < batch.tokens.size(); ++i) {
    answers[batch.tokens[i]].insert(batch.targets[i]);
  }
  return answers;
}

// Whether every symbol has one output, and no two have the same.
bool is_permutation(const Answers& answers) {
  std::set<std::uint32_t> outputs;
  for (const auto& [input, of_input] : answers) outputs.insert(of_input.begin(), of_input.end());
  return answers.size() == 8 && outputs.size() == 8 &&
         std::ranges::all_of(answers, [](const auto& entry) { return entry.second.size() == 1; });
}

std::size_t distinct_sequences(const Batch& batch) {
  std::set<std::vector<std::uint32_t>> seen;
  for (int b = 0; b < batch.sequences; ++b) {
    std::vector<std::uint32_t> sequence;
    for (int t = 0; t < batch.steps; ++t) {
      const int at = t * batch.sequences + b;
      sequence.push_back(batch.tokens[at] * 8 + batch.targets[at]);
    }
    seen.insert(std::move(sequence));
  }
  return seen.size();
}

// Random(0, Purpose{0}, 0) gives the words 6627e8d5, e169c58d, bc57ac4c and 9b00dbd8 (Random123's
// published answer for zeros). Their highest bits are 0, 1, 1, 1: three ones, an odd number.
TEST(Stress, ScoresOnlyTheParityOfTheInputsAsWorkedByHand) {
  const Stress curriculum({.scenario = Scenario::kPrerequisite});
  Random random(0, Purpose{0}, 0);
  const Batch batch = curriculum.sample(2, 1, Split::kTraining, random);
  EXPECT_THAT(batch.tokens, ElementsAre(0, 1, 1, 1));
  EXPECT_THAT(batch.scored, ElementsAre(0, 0, 0, 1));
  EXPECT_EQ(batch.targets.back(), 1u);
  Random same(0, Purpose{0}, 0);
  EXPECT_EQ(curriculum.describe(2, same), "task parity 4, key 1\ninput  0 1 1 1\noutput - - - 1");
  EXPECT_EQ(curriculum.tasks()[*curriculum.target()], "parity 12");
}

// The highest three bits of the same words are 3, 7, 5, 4.
TEST(Stress, HasTasksThatAreAllButLearned) {
  const Stress curriculum({.scenario = Scenario::kLearned});
  Random random(0, Purpose{0}, 0);
  const Batch batch = curriculum.sample(3, 1, Split::kTraining, random);
  EXPECT_THAT(std::vector(batch.tokens.begin(), batch.tokens.begin() + 4), ElementsAre(3, 7, 5, 4));
  EXPECT_THAT(batch.bits, Each(Eq(3u))) << "the key tells tasks apart";
  EXPECT_THAT(batch.targets, Each(Eq(0u)));
}

TEST(Stress, NoiseHasEveryOutputForEveryInputAndTheTargetHasOne) {
  for (const Scenario scenario : {Scenario::kFreshNoise, Scenario::kFixedNoise}) {
    const Stress curriculum({.scenario = scenario});
    ASSERT_EQ(curriculum.target(), 0);
    for (const Split split : {Split::kTraining, Split::kHeldOut}) {
      EXPECT_TRUE(is_permutation(answers_of(many(curriculum, 0, split))));
    }
    EXPECT_THAT(answers_of(many(curriculum, 5, Split::kHeldOut)),
                Each(Pair(testing::_, SizeIs(8))));
  }
}

TEST(Stress, FixedNoiseHasSixteenSequencesAndHeldOutNoiseIsNew) {
  const Stress curriculum({.scenario = Scenario::kFixedNoise});
  EXPECT_EQ(distinct_sequences(many(curriculum, 3)), 16u);
  EXPECT_EQ(distinct_sequences(many(curriculum, 3, Split::kHeldOut)), 100u);
  EXPECT_NE(many(curriculum, 3).targets, many(curriculum, 4).targets);
  const Stress fresh({.scenario = Scenario::kFreshNoise});
  EXPECT_EQ(distinct_sequences(many(fresh, 3)), 100u);
}

TEST(Stress, HasOneTaskAmongAThousandThatCanBeLearned) {
  const Stress curriculum({.scenario = Scenario::kNeedle});
  ASSERT_THAT(curriculum.tasks(), SizeIs(1000));
  for (int task = 0; task < 1000; task += 111) {
    EXPECT_EQ(is_permutation(answers_of(many(curriculum, task))), task == *curriculum.target());
  }
  std::set<std::uint32_t> keys;
  for (int task = 0; task < 1000; ++task) {
    EXPECT_EQ(curriculum.task(task).kind == Stress::Kind::kNoise, task != *curriculum.target());
    keys.insert(curriculum.task(task).key);
  }
  EXPECT_THAT(keys, SizeIs(1000)) << "the network can tell all tasks apart";
}

TEST(Stress, DuplicatesAreTheSameTaskAndOthersAreNot) {
  const Stress curriculum({.scenario = Scenario::kDuplicates});
  const Batch copy = many(curriculum, 2);
  for (int task = 3; task < 10; ++task) {
    EXPECT_EQ(many(curriculum, task).targets, copy.targets);
    EXPECT_EQ(many(curriculum, task).bits, copy.bits);
  }
  EXPECT_NE(many(curriculum, 0).targets, copy.targets);
  EXPECT_FALSE(curriculum.target()) << "the mean loss over all tasks is the measure";
}

TEST(Stress, LengthsSpanAFactorOf64) {
  const Stress curriculum({.scenario = Scenario::kLengths});
  std::vector<int> lengths;
  for (int task = 0; task < 4; ++task) {
    lengths.push_back(many(curriculum, task).steps);
    EXPECT_TRUE(is_permutation(answers_of(many(curriculum, task))));
  }
  EXPECT_THAT(lengths, ElementsAre(2, 8, 32, 128));
}

// The data change with the number of the batch, so they do not depend on the order of calls.
TEST(Stress, DataChangeAfterTheGivenNumberOfBatches) {
  const Stress curriculum({.scenario = Scenario::kChange, .change_after = 3});
  const BatchSource batches(curriculum, Purpose::kTrainingBatch, Split::kTraining, 100, 1);
  const Answers after = answers_of(batches.make(0, 3));
  const Answers before = answers_of(batches.make(0, 2));
  EXPECT_TRUE(is_permutation(before));
  EXPECT_TRUE(is_permutation(after));
  EXPECT_NE(before, after);
  EXPECT_EQ(answers_of(batches.make(0, 0)), before);
  EXPECT_EQ(answers_of(batches.make(0, 1000)), after);
  const auto held_out = [&](Purpose purpose) {
    return BatchSource(curriculum, purpose, Split::kHeldOut, 100, 1);
  };
  EXPECT_EQ(answers_of(held_out(Purpose::kHeldOutBatch).make(0, 0)), after) << "an evaluation";
  EXPECT_EQ(answers_of(held_out(Purpose::kProbeBatch).make(0, 2)), before) << "a probe";
  EXPECT_EQ(answers_of(held_out(Purpose::kProbeBatch).make(0, 3)), after);
  EXPECT_EQ(answers_of(batches.make(1, 2)), answers_of(batches.make(1, 3)));
}

TEST(Stress, ContradictoryTasksLookTheSameAndHaveDifferentTables) {
  const Stress curriculum({.scenario = Scenario::kContradiction});
  EXPECT_EQ(curriculum.target(), std::nullopt);
  EXPECT_FALSE(curriculum.description().is_solvable);
  EXPECT_EQ(curriculum.description().solved, std::nullopt);
  std::set<Answers> tables;
  for (const int rule : {1, 2, 3}) {
    const Batch batch = many(curriculum, rule);
    EXPECT_EQ(batch.bits, many(curriculum, 1).bits);
    EXPECT_TRUE(is_permutation(answers_of(batch)));
    tables.insert(answers_of(batch));
  }
  EXPECT_THAT(tables, SizeIs(3));
  EXPECT_NE(many(curriculum, 0).bits, many(curriculum, 1).bits) << "the steady task";
}

TEST(Stress, RefusesANegativeNumberOfBatches) {
  EXPECT_EQ(refusal_of([] { Stress({.change_after = -1}); }),
            "stress.change_after is -1, expected a whole number from 0 to 9e+18");
}

}  // namespace
}  // namespace gradus
