// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/repeat_copy.h"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "gradus/core/batch_source.h"
#include "tests/refusal.h"

namespace gradus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Batch one_sequence(const RepeatCopy& curriculum, int task, std::uint64_t seed = 1) {
  Random random(seed, Purpose::kSample, 0);
  return curriculum.sample(task, 1, Split::kTraining, random);
}

int task_of(const RepeatCopySettings& settings, int length, int repeats) {
  return (length - 1) * settings.max_repeats + repeats - 1;
}

TEST(RepeatCopy, HasOneTaskForEachLengthAndCountWithTheLargestAsTarget) {
  const RepeatCopy curriculum({.max_length = 13, .max_repeats = 13});
  EXPECT_EQ(curriculum.tasks().size(), 169u);
  EXPECT_EQ(curriculum.tasks()[*curriculum.target()], "13,13");
  EXPECT_EQ(curriculum.tasks()[14], "2,2");
  EXPECT_EQ(curriculum.total_sequences(), 169e6);
}

TEST(RepeatCopy, ReadsBitsAStartMarkerAndACountAndWritesBitsAndAnEndMarker) {
  const RepeatCopy curriculum({});
  EXPECT_EQ(curriculum.data().input.width(), 8 + 2);
  EXPECT_EQ(curriculum.data().input.reals, 1);
  EXPECT_EQ(curriculum.data().output, (OutputSpec{OutputKind::kSigmoid, 8 + 1}));
}

// Random(0, Purpose{0}, 0) gives the words 6627e8d5 and e169c58d (Random123's published answer for
// zeros). Their highest four bits, 6 and e, are the two vectors. Bit 4 marks start and end. The
// counts 1..3 have mean 2 and variance 2/3, so 2 is standardised to 0 and 3 to sqrt(1.5).
TEST(RepeatCopy, LaysOutTwoVectorsThreeTimesAsWorkedByHand) {
  const RepeatCopy curriculum({.max_length = 2, .max_repeats = 3, .bits = 4});
  Random random(0, Purpose{0}, 0);
  const Batch batch = curriculum.sample(5, 1, Split::kTraining, random);
  const auto count = static_cast<float>(std::sqrt(1.5));
  EXPECT_THAT(batch.lengths, ElementsAre(2 * (3 + 1) + 3));
  EXPECT_THAT(batch.bits, ElementsAre(16, 0x6, 0xe, 0, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(batch.reals, ElementsAre(0, 0, 0, count, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(batch.scored, ElementsAre(0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1));
  EXPECT_THAT(batch.targets, ElementsAre(0, 0, 0, 0, 0x6, 0xe, 0x6, 0xe, 0x6, 0xe, 16));
}

TEST(RepeatCopy, LaysOutOneVectorOnceAsWorkedByHand) {
  const RepeatCopy curriculum({.max_length = 1, .max_repeats = 1, .bits = 8});
  Random random(0, Purpose{0}, 0);
  const Batch batch = curriculum.sample(0, 1, Split::kTraining, random);
  EXPECT_THAT(batch.bits, ElementsAre(256, 0x66, 0, 0, 0));
  EXPECT_THAT(batch.reals, ElementsAre(0, 0, 0, 0, 0)) << "a single count is standardised to 0";
  EXPECT_THAT(batch.targets, ElementsAre(0, 0, 0, 0x66, 256));
}

// The numbers 1..13 have mean 7 and standard deviation sqrt(14).
TEST(RepeatCopy, StandardisesTheCountToMeanZeroAndVarianceOne) {
  const RepeatCopySettings settings{};
  const RepeatCopy curriculum(settings);
  double sum = 0;
  double squares = 0;
  for (int repeats = 1; repeats <= 13; ++repeats) {
    const double count = one_sequence(curriculum, task_of(settings, 4, repeats)).reals[5];
    EXPECT_NEAR(count, (repeats - 7) / std::sqrt(14.0), 1e-6);
    sum += count / 13;
    squares += count * count / 13;
  }
  EXPECT_NEAR(sum, 0, 1e-6);
  EXPECT_NEAR(squares, 1, 1e-6);
}

RC_GTEST_PROP(RepeatCopy, EveryTaskHasItsShape, (std::uint64_t seed)) {
  const RepeatCopySettings settings{.max_length = *rc::gen::inRange(1, 14),
                                    .max_repeats = *rc::gen::inRange(1, 14),
                                    .bits = *rc::gen::inRange(1, 31)};
  const RepeatCopy curriculum(settings);
  const int length = *rc::gen::inRange(1, settings.max_length + 1);
  const int repeats = *rc::gen::inRange(1, settings.max_repeats + 1);
  const int task = task_of(settings, length, repeats);
  RC_ASSERT(curriculum.tasks()[task] == std::to_string(length) + "," + std::to_string(repeats));
  RC_ASSERT(curriculum.length_of(task) == length);
  RC_ASSERT(curriculum.repeats_of(task) == repeats);

  const Batch batch = one_sequence(curriculum, task, seed);
  RC_ASSERT(batch.steps == length * (repeats + 1) + 3);
  RC_ASSERT(batch.outputs() == length * repeats + 1);
  const std::uint32_t marker = 1u << settings.bits;
  RC_ASSERT(batch.bits[0] == marker);
  for (int t = 1; t < batch.steps; ++t) {
    RC_ASSERT(batch.bits[t] < marker);
    if (t > length) RC_ASSERT(batch.bits[t] == 0u);
    RC_ASSERT(batch.scored[t] == (t >= length + 2 ? 1 : 0));
  }
  for (int copy = 0; copy < repeats; ++copy) {
    for (int i = 0; i < length; ++i) {
      RC_ASSERT(batch.targets[length + 2 + copy * length + i] == batch.bits[1 + i]);
    }
  }
  RC_ASSERT(batch.targets.back() == marker);
}

TEST(RepeatCopy, SequencesOfABatchDiffer) {
  const RepeatCopy curriculum({});
  Random random(1, Purpose::kSample, 0);
  const Batch batch = curriculum.sample(*curriculum.target(), 32, Split::kTraining, random);
  EXPECT_EQ(batch.sequences, 32);
  for (int b = 1; b < 32; ++b) {
    bool differs = false;
    for (std::size_t t = 1; t <= 13; ++t) {
      differs |= batch.bits[t * 32 + b] != batch.bits[t * 32];
    }
    EXPECT_TRUE(differs) << "sequence " << b;
  }
}

// 13 * 400 vectors of 8 bits. Each channel is a fair coin; the bound is five standard deviations.
TEST(RepeatCopy, PatternBitsAreFairCoins) {
  const RepeatCopy curriculum({});
  constexpr int kSequences = 400;
  Random random(2, Purpose::kSample, 0);
  const int task = task_of({}, 13, 1);
  const Batch batch = curriculum.sample(task, kSequences, Split::kTraining, random);
  std::vector<int> ones(8);
  for (int cell = kSequences; cell < 14 * kSequences; ++cell) {
    for (int j = 0; j < 8; ++j) ones[j] += batch.bits[cell] >> j & 1;
  }
  const double draws = 13 * kSequences;
  for (const int count : ones) EXPECT_NEAR(count, draws / 2, 5 * std::sqrt(draws / 4));
}

TEST(RepeatCopy, HeldOutBatchesAreNotThoseOfTraining) {
  const RepeatCopy curriculum({});
  const int target = *curriculum.target();
  BatchSource training(curriculum, Purpose::kTrainingBatch, Split::kTraining, 4, 1);
  BatchSource held_out(curriculum, Purpose::kHeldOutBatch, Split::kHeldOut, 4, 1);
  for (int k = 0; k < 10; ++k) EXPECT_NE(training.next(target).bits, held_out.next(target).bits);
}

std::string refusal_of_settings(const RepeatCopySettings& settings) {
  return refusal_of([&] { RepeatCopy{settings}; });
}

TEST(RepeatCopy, RefusesSettingsOutOfRangeNamingKeyValueAndRange) {
  EXPECT_EQ(refusal_of_settings({.max_length = 0}),
            "repeat_copy.max_length is 0, expected a whole number from 1 to 1000");
  EXPECT_THAT(refusal_of_settings({.max_length = 1001}), HasSubstr("max_length is 1001"));
  EXPECT_THAT(refusal_of_settings({.max_repeats = -1}), HasSubstr("max_repeats is -1"));
  EXPECT_THAT(refusal_of_settings({.max_repeats = 1001}), HasSubstr("max_repeats is 1001"));
  EXPECT_THAT(refusal_of_settings({.bits = 0}),
              HasSubstr("bits is 0, expected a whole number from 1 to 30"));
  EXPECT_THAT(refusal_of_settings({.bits = 31}), HasSubstr("bits is 31"));
  EXPECT_EQ(refusal_of_settings({.max_length = 1, .max_repeats = 1, .bits = 30}), "accepted");
}

// The sequence worked by hand above. The lowest bit is printed first, so 6 is ".11.".
TEST(RepeatCopy, DescribesASequenceAsRowsOfBits) {
  const RepeatCopy curriculum({.max_length = 2, .max_repeats = 2, .bits = 4});
  Random random(0, Purpose{0}, 0);
  EXPECT_EQ(curriculum.describe(3, random),
            "task 2,2: 2 vectors, 2 times\n"
            "step  input  start  count   output (end marker last)\n"
            "   0  ....   1       0.000  -\n"
            "   1  .11.   .       0.000  -\n"
            "   2  .111   .       0.000  -\n"
            "   3  ....   .       1.000  -\n"
            "   4  ....   .       0.000  .11. .\n"
            "   5  ....   .       0.000  .111 .\n"
            "   6  ....   .       0.000  .11. .\n"
            "   7  ....   .       0.000  .111 .\n"
            "   8  ....   .       0.000  .... 1");
}

}  // namespace
}  // namespace gradus
