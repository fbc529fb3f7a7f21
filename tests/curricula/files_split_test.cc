// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "gradus/curricula/files/split.h"

namespace gradus::files {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// One sequence of one step per number. Equal numbers give equal sequences.
TaskSequences sequences_of(const std::vector<int>& numbers) {
  TaskSequences sequences;
  for (const int number : numbers) {
    sequences.add_step(kNoToken, number);
    sequences.end_sequence();
  }
  return sequences;
}

Parts split(const std::vector<int>& numbers, double held_out, std::uint64_t seed) {
  return split_sequences(sequences_of(numbers), held_out, Random(seed, Purpose::kDataSet, 0));
}

TEST(Split, HoldsOutTheShareRoundedToTheNearestNumber) {
  std::vector<int> numbers(25);
  std::iota(numbers.begin(), numbers.end(), 0);
  const Parts parts = split(numbers, 0.3, 1);
  EXPECT_THAT(parts.held_out, SizeIs(8));
  EXPECT_THAT(parts.training, SizeIs(17));
}

TEST(Split, KeepsAtLeastOneSequenceOnEachSide) {
  EXPECT_THAT(split({1, 2}, 0.001, 1).held_out, SizeIs(1));
  EXPECT_THAT(split({1, 2, 3}, 0.999, 1).training, SizeIs(1));
  EXPECT_THAT(split({1, 2, 3}, 0.999, 1).held_out, SizeIs(2));
}

TEST(Split, HoldsOutTheRarestWhereNoSequenceFitsItsShare) {
  const Parts parts = split({5, 5, 5, 7, 7, 5, 5, 5}, 0.1, 3);
  EXPECT_THAT(parts.held_out, ElementsAre(3, 4));
  EXPECT_THAT(parts.training, ElementsAre(0, 1, 2, 5, 6, 7));
}

TEST(Split, HoldsNothingOutWhereAllSequencesAreEqual) {
  EXPECT_THAT(split({4, 4, 4}, 0.5, 1).held_out, IsEmpty());
}

TEST(Split, IsFixedByItsSeed) {
  std::vector<int> numbers(100);
  std::iota(numbers.begin(), numbers.end(), 0);
  EXPECT_EQ(split(numbers, 0.2, 9).held_out, split(numbers, 0.2, 9).held_out);
  EXPECT_NE(split(numbers, 0.2, 9).held_out, split(numbers, 0.2, 10).held_out);
}

RC_GTEST_PROP(Split, GivesEverySequenceToOneSideAndEqualOnesToTheSame, ()) {
  const auto numbers = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 12));
  const double held_out = *rc::gen::inRange(1, 100) / 100.0;
  const Parts parts = split(numbers, held_out, *rc::gen::arbitrary<std::uint64_t>());
  std::vector<std::uint32_t> all = parts.training;
  all.insert(all.end(), parts.held_out.begin(), parts.held_out.end());
  std::sort(all.begin(), all.end());
  std::vector<std::uint32_t> expected(numbers.size());
  std::iota(expected.begin(), expected.end(), 0u);
  RC_ASSERT(all == expected);
  for (const auto a : parts.training) {
    for (const auto b : parts.held_out) RC_ASSERT(numbers[a] != numbers[b]);
  }
}

}  // namespace
}  // namespace gradus::files
