// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/batch.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace gradus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kVocabulary = 5;

DataSpec full_spec() {
  return {{.tokens = kVocabulary, .bits = 2, .reals = 2}, {OutputKind::kSoftmax, 4}};
}

Sequence short_sequence() {
  return {.tokens = {4}, .bits = {3}, .reals = {0.5f, 0.25f}, .scored = {1}, .targets = {3}};
}

Sequence long_sequence() {
  return {.tokens = {0, kNoToken, 2},
          .bits = {1, 2, 0},
          .reals = {1, 2, 3, 4, 5, 6},
          .scored = {0, 1, 1},
          .targets = {9, 1, 2}};
}

// The longer sequence comes first: its steps fill column 0, those of the short one column 1.
TEST(MakeBatch, LaysSequencesOutTimeMajorLongestFirst) {
  const std::vector<Sequence> sequences = {short_sequence(), long_sequence()};
  const Batch batch = make_batch(sequences, full_spec());
  EXPECT_EQ(batch.sequences, 2);
  EXPECT_EQ(batch.steps, 3);
  EXPECT_THAT(batch.lengths, ElementsAre(3, 1));
  EXPECT_THAT(batch.tokens, ElementsAre(0, 4, kNoToken, kNoToken, 2, kNoToken));
  EXPECT_THAT(batch.bits, ElementsAre(1u, 3u, 2u, 0u, 0u, 0u));
  EXPECT_THAT(batch.reals, ElementsAre(1, 2, 0.5f, 0.25f, 3, 4, 0, 0, 5, 6, 0, 0));
  EXPECT_THAT(batch.scored, ElementsAre(0, 1, 1, 0, 1, 0));
  EXPECT_EQ(batch.targets[1], 3u);
  EXPECT_EQ(batch.targets[2], 1u);
  EXPECT_EQ(batch.targets[4], 2u);
}

TEST(MakeBatch, CountsInputStepsAndOutputsWithoutPaddingAndCostsTheLongest) {
  const std::vector<Sequence> sequences = {short_sequence(), long_sequence(), short_sequence()};
  const Batch batch = make_batch(sequences, full_spec());
  EXPECT_EQ(batch.input_steps(), 3 + 1 + 1);
  EXPECT_EQ(batch.outputs(), 2 + 1 + 1);
  EXPECT_EQ(batch.cost(), 3);
}

TEST(MakeBatch, KeepsTheOrderOfEqualLengths) {
  std::vector<Sequence> sequences(3, short_sequence());
  for (int i = 0; i < 3; ++i) sequences[i].tokens = {i};
  EXPECT_THAT(make_batch(sequences, full_spec()).tokens, ElementsAre(0, 1, 2));
}

TEST(MakeBatch, LeavesOutWhatTheDataDoesNotHave) {
  const DataSpec spec = {{.tokens = 2}, {OutputKind::kSigmoid, 32}};
  const std::vector<Sequence> sequences = {
      {.tokens = {1}, .bits = {}, .reals = {}, .scored = {1}, .targets = {0xffffffffu}}};
  const Batch batch = make_batch(sequences, spec);
  EXPECT_THAT(batch.bits, IsEmpty());
  EXPECT_THAT(batch.reals, IsEmpty());
  EXPECT_THAT(batch.targets, ElementsAre(0xffffffffu));
}

struct Refusal {
  const char* name;
  void (*spoil)(Sequence&);
  const char* message;
};

class MakeBatchRefuses : public testing::TestWithParam<Refusal> {};

TEST_P(MakeBatchRefuses, ASequenceThatDoesNotFitNamingItsPlace) {
  std::vector<Sequence> sequences = {short_sequence(), long_sequence()};
  GetParam().spoil(sequences[1]);
  try {
    make_batch(sequences, full_spec());
    FAIL() << "accepted";
  } catch (const std::logic_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("sequence 1"));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, MakeBatchRefuses,
    testing::Values(
        Refusal{"Empty", [](Sequence& s) { s = {}; }, "is empty"},
        Refusal{"ScoresNothing",
                [](Sequence& s) {
                  s.scored = {0, 0, 0};
                },
                "scores no output"},
        Refusal{"OddMark", [](Sequence& s) { s.scored[1] = 2; }, "other than 0 and 1"},
        Refusal{"TooFewTokens", [](Sequence& s) { s.tokens.pop_back(); }, "2 tokens, expected 3"},
        Refusal{"TooManyBits", [](Sequence& s) { s.bits.push_back(0); }, "4 bit vectors"},
        Refusal{"TooFewReals", [](Sequence& s) { s.reals.pop_back(); }, "5 reals, expected 6"},
        Refusal{"NoTargets", [](Sequence& s) { s.targets.clear(); }, "0 targets, expected 3"},
        Refusal{"TokenTooLarge", [](Sequence& s) { s.tokens[1] = kVocabulary; }, "token 5"},
        Refusal{"TokenNegative", [](Sequence& s) { s.tokens[1] = -2; }, "token -2"},
        Refusal{"BitTooHigh", [](Sequence& s) { s.bits[2] = 4; }, "input bit"},
        Refusal{"TargetTooLarge", [](Sequence& s) { s.targets[2] = 4; },
                "target 4, expected less than 4"}),
    [](const auto& info) { return info.param.name; });

TEST(MakeBatch, RefusesASigmoidTargetWithABitTooHigh) {
  const DataSpec spec = {{.tokens = 2}, {OutputKind::kSigmoid, 3}};
  std::vector<Sequence> sequences = {
      {.tokens = {1}, .bits = {}, .reals = {}, .scored = {1}, .targets = {7}}};
  EXPECT_NO_THROW(make_batch(sequences, spec));
  sequences[0].targets = {8};
  EXPECT_THROW(make_batch(sequences, spec), std::logic_error);
}

TEST(MakeBatch, RefusesFieldsThatTheDataDoesNotHave) {
  const DataSpec spec = {{.tokens = kVocabulary}, {OutputKind::kSoftmax, 4}};
  const std::vector<Sequence> sequences = {short_sequence()};
  EXPECT_THROW(make_batch(sequences, spec), std::logic_error);
}

TEST(MakeBatch, RefusesNoSequences) {
  EXPECT_THROW(make_batch({}, full_spec()), std::logic_error);
}

TEST(Slice, CutsColumnsAndTheStepsThatNobodyHas) {
  const std::vector<Sequence> sequences = {short_sequence(), long_sequence()};
  const Batch batch = make_batch(sequences, full_spec());
  const Batch part = slice(batch, 1, 1);
  EXPECT_EQ(part.sequences, 1);
  EXPECT_EQ(part.steps, 1);
  EXPECT_THAT(part.lengths, ElementsAre(1));
  EXPECT_THAT(part.tokens, ElementsAre(4));
  EXPECT_THAT(part.bits, ElementsAre(3u));
  EXPECT_THAT(part.reals, ElementsAre(0.5f, 0.25f));
  EXPECT_THAT(part.scored, ElementsAre(1));
  EXPECT_THAT(part.targets, ElementsAre(3u));
}

TEST(Slice, RefusesSequencesThatTheBatchDoesNotHave) {
  const std::vector<Sequence> sequences = {short_sequence(), long_sequence()};
  const Batch batch = make_batch(sequences, full_spec());
  EXPECT_THROW(slice(batch, 0, 0), std::logic_error);
  EXPECT_THROW(slice(batch, -1, 1), std::logic_error);
  EXPECT_THROW(slice(batch, 2, 1), std::logic_error);
  EXPECT_THROW(slice(batch, 1, 2), std::logic_error);
}

bool same(const Batch& a, const Batch& b) {
  return a.sequences == b.sequences && a.steps == b.steps && a.lengths == b.lengths &&
         a.tokens == b.tokens && a.bits == b.bits && a.reals == b.reals && a.scored == b.scored &&
         a.targets == b.targets;
}

// A sequence of `steps` steps whose entries depend on its number.
Sequence numbered_sequence(int number, int steps) {
  Sequence sequence;
  for (int t = 0; t < steps; ++t) {
    sequence.tokens.push_back((number + t) % kVocabulary);
    sequence.bits.push_back(static_cast<std::uint32_t>(number + t) % 4);
    sequence.reals.insert(sequence.reals.end(),
                          {static_cast<float>(number), static_cast<float>(t)});
    sequence.scored.push_back(t + 1 == steps || t % 2 == 0 ? 1 : 0);
    sequence.targets.push_back(static_cast<std::uint32_t>(number * 3 + t) % 4);
  }
  return sequence;
}

RC_GTEST_PROP(Slice, IsTheBatchOfThoseSequencesAlone, ()) {
  auto lengths = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 9)));
  std::sort(lengths.rbegin(), lengths.rend());
  std::vector<Sequence> sequences;
  for (const int length : lengths) {
    sequences.push_back(numbered_sequence(static_cast<int>(sequences.size()), length));
  }
  const int total = static_cast<int>(lengths.size());
  const int first = *rc::gen::inRange(0, total);
  const int count = *rc::gen::inRange(1, total - first + 1);
  const Batch whole = make_batch(sequences, full_spec());
  const Batch part = make_batch(std::span(sequences).subspan(first, count), full_spec());
  RC_ASSERT(same(slice(whole, first, count), part));
  RC_ASSERT(same(slice(whole, 0, total), whole));
}

}  // namespace
}  // namespace gradus
