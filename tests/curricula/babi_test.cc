// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/babi/babi.h"

#include <cmath>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "gradus/core/error.h"
#include "tests/refusal.h"

namespace gradus {
namespace {

// Number of answers in a batch: maximal runs of scored outputs.
int answers(const Batch& batch) {
  int runs = 0;
  for (int b = 0; b < batch.sequences; ++b) {
    bool before = false;
    for (int t = 0; t < batch.steps; ++t) {
      const bool scored = batch.scored[t * batch.sequences + b] != 0;
      runs += scored && !before ? 1 : 0;
      before = scored;
    }
  }
  return runs;
}

TEST(Babi, HasTheTwentyTasksAndNoTarget) {
  const Babi curriculum({});
  EXPECT_EQ(curriculum.name(), "babi");
  ASSERT_EQ(curriculum.tasks().size(), 20u);
  EXPECT_EQ(curriculum.tasks()[0], "Single Supporting Fact");
  EXPECT_EQ(curriculum.tasks()[18], "Path Finding");
  EXPECT_EQ(curriculum.target(), std::nullopt);
  EXPECT_EQ(curriculum.total_sequences(), 20e6);
}

TEST(Babi, LooksTheSameToANetworkInBothVariants) {
  const Babi p({.variant = babi::Variant::kP});
  const Babi h({.variant = babi::Variant::kH});
  EXPECT_EQ(p.data(), h.data());
  EXPECT_EQ(p.vocabulary(), h.vocabulary());
  EXPECT_EQ(p.data().input.tokens, 144);
}

TEST(Babi, RefusesAnUnknownVariant) {
  BabiSettings settings;
  const Setting variant = settings_of(settings).front();
  EXPECT_EQ(refusal_of([&] { set_json(variant, "h"); }),
            "unknown babi.variant \"h\"; expected one of: P H");
}

TEST(Babi, RefusesAFolderThatIsNotThere) {
  EXPECT_THROW(Babi({.folder = "/no/such/folder"}), InputError);
}

TEST(Babi, ScoresOneAnswerAQuestion) {
  const Babi curriculum({});
  Random random(1, Purpose::kTrainingBatch, 0);
  EXPECT_EQ(answers(curriculum.sample(0, 8, Split::kTraining, random)), 8 * 5);
  EXPECT_EQ(answers(curriculum.sample(3, 8, Split::kTraining, random)), 8);
  const Batch paths = curriculum.sample(18, 8, Split::kTraining, random);
  EXPECT_EQ(answers(paths), 8);
  EXPECT_EQ(paths.outputs(), 16);
  EXPECT_EQ(answers(curriculum.sample(7, 8, Split::kHeldOut, random)), 8 * 5);
}

TEST(Babi, SequenceLengthsAreThoseOfTheTasks) {
  const Babi curriculum({.variant = babi::Variant::kH});
  Random random(1, Purpose::kTrainingBatch, 0);
  const Batch relations = curriculum.sample(3, 50, Split::kTraining, random);
  for (const int length : relations.lengths) EXPECT_EQ(length, 7 + 7 + 7);
  const Batch where = curriculum.sample(0, 50, Split::kTraining, random);
  for (const int length : where.lengths) EXPECT_EQ(length, 5 * (6 + 6 + 5));
}

RC_GTEST_PROP(Babi, SamplesAreAFunctionOfTheRandomStream, ()) {
  static const Babi curriculum({});
  const int task = *rc::gen::inRange(0, 20);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  Random one(seed, Purpose::kTrainingBatch, 3, task);
  Random two(seed, Purpose::kTrainingBatch, 3, task);
  const Batch first = curriculum.sample(task, 4, Split::kTraining, one);
  const Batch second = curriculum.sample(task, 4, Split::kTraining, two);
  RC_ASSERT(first.tokens == second.tokens);
  RC_ASSERT(first.targets == second.targets);
  RC_ASSERT(one() == two());
}

TEST(Babi, WritesStoriesThatDependOnSeedTaskAndPlaceAlone) {
  const Babi curriculum({});
  std::ostringstream ten;
  std::ostringstream three;
  curriculum.write_samples(18, 10, 42, ten);
  curriculum.write_samples(18, 3, 42, three);
  EXPECT_TRUE(ten.str().starts_with(three.str()));
  Random random(42, Purpose::kSample, 2, 18);
  EXPECT_TRUE(three.str().ends_with("\n" + curriculum.describe(18, random) + "\n"));
  std::ostringstream other;
  curriculum.write_samples(18, 3, 43, other);
  EXPECT_NE(other.str(), three.str());
  EXPECT_EQ(babi::read_stories(ten.str(), "ten").size(), 10u);
}

TEST(Babi, DescribesAStoryWithoutAFinalNewline) {
  const Babi curriculum({});
  Random random(1, Purpose::kSample, 0);
  const std::string text = curriculum.describe(3, random);
  EXPECT_TRUE(text.starts_with("1 The "));
  EXPECT_NE(text.back(), '\n');
}

}  // namespace
}  // namespace gradus
