// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/ngram/ngram.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/core/error.h"
#include "gradus/curricula/ngram/models.h"
#include "tests/temporary_folder.h"

namespace gradus {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class NgramCurriculum : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string text;
    for (int i = 0; i < 40; ++i) {
      text += "the " + std::to_string(i * i) + " wise men went to sea in a bowl.\n";
    }
    corpus_ = folder_.write("corpus.txt", text);
  }

  NgramSettings settings() const {
    return {.corpus = corpus_, .characters = 2000, .cache = "none"};
  }
  NgramDataSets data_sets(const NgramSettings& settings) const {
    return load_data_sets(load_corpus(settings.corpus), settings, NgramCache("none", nullptr));
  }
  static std::vector<Symbol> copy(std::span<const Symbol> set) { return {set.begin(), set.end()}; }

  testing::TemporaryFolder folder_;
  std::string corpus_;
};

TEST_F(NgramCurriculum, HasOneTaskAnOrderWithTheHighestAsTarget) {
  const Ngram ngram(settings());
  ASSERT_EQ(ngram.tasks().size(), 11u);
  EXPECT_EQ(ngram.tasks().front(), "0-gram");
  EXPECT_EQ(ngram.tasks()[*ngram.target()], "10-gram");
  const auto characters = static_cast<int>(ngram.vocabulary().size());
  EXPECT_EQ(ngram.data().input, (InputSpec{.tokens = characters}));
  EXPECT_EQ(ngram.data().output, (OutputSpec{OutputKind::kSoftmax, characters}));
  EXPECT_EQ(ngram.total_sequences(), 11 * 13) << "2000 characters hold 13 sequences of 150";
}

TEST_F(NgramCurriculum, ASequencePredictsEachCharacterAfterTheContextFromThoseBefore) {
  const Ngram ngram(settings());
  Random random(1, Purpose::kTrainingBatch, 0);
  const Batch batch = ngram.sample(5, 3, Split::kTraining, random);
  EXPECT_EQ(batch.steps, 150);
  EXPECT_EQ(batch.outputs(), 3 * 100);
  for (int b = 0; b < 3; ++b) {
    for (int t = 0; t < 150; ++t) {
      EXPECT_EQ(batch.scored[t * 3 + b], t < 50 ? 0 : 1);
      const auto before =
          t == 0 ? kNoToken : static_cast<std::int32_t>(batch.targets[(t - 1) * 3 + b]);
      EXPECT_EQ(batch.tokens[t * 3 + b], before);
    }
  }
}

TEST_F(NgramCurriculum, SamplesAreDisjointPiecesOfTheSplitsOwnSet) {
  const NgramDataSets sets = data_sets(settings());
  const Ngram ngram(settings());
  for (const Split split : {Split::kTraining, Split::kHeldOut}) {
    const auto set = sets.set(7, split);
    Random random(3, Purpose::kTrainingBatch, 0);
    for (int i = 0; i < 50; ++i) {
      const Batch batch = ngram.sample(7, 1, split, random);
      bool found = false;
      for (std::size_t start = 0; start + 150 <= set.size(); start += 150) {
        found |= std::equal(batch.targets.begin(), batch.targets.end(), set.begin() + start);
      }
      EXPECT_TRUE(found);
    }
  }
}

TEST_F(NgramCurriculum, DataSetsHaveTheirExactSizeAndDifferBySplitOrderAndSeed) {
  const NgramDataSets sets = data_sets(settings());
  NgramSettings other_seed = settings();
  other_seed.data_seed = 2;
  const NgramDataSets others = data_sets(other_seed);
  for (int order = 0; order <= 10; ++order) {
    const auto training = copy(sets.set(order, Split::kTraining));
    EXPECT_EQ(training.size(), 2000u);
    EXPECT_EQ(sets.set(order, Split::kHeldOut).size(), 2000u);
    EXPECT_NE(training, copy(sets.set(order, Split::kHeldOut)));
    EXPECT_NE(training, copy(others.set(order, Split::kTraining)));
    const int other = (order + 1) % 11;
    EXPECT_NE(training, copy(sets.set(other, Split::kTraining)));
  }
}

TEST_F(NgramCurriculum, DataSetsAreAFunctionOfCorpusAndSeedWhateverTheHighestOrder) {
  const NgramDataSets all = data_sets(settings());
  EXPECT_EQ(all.to_bytes(), data_sets(settings()).to_bytes());
  NgramSettings few = settings();
  few.max_order = 4;
  EXPECT_EQ(copy(all.set(4, Split::kHeldOut)), copy(data_sets(few).set(4, Split::kHeldOut)));
}

TEST_F(NgramCurriculum, SampledTextNeedsAsManyBitsAsItsModelSays) {
  NgramSettings settings = this->settings();
  settings.max_order = 3;
  settings.characters = 50000;
  const NgramCorpus corpus = load_corpus(settings.corpus);
  const NgramCounts counts(corpus.symbols, corpus.alphabet.size(), 3);
  const NgramDataSets sets(counts, settings);
  // Text of order 3 is more likely under the model that wrote it than under one of lower order.
  const auto text = sets.set(3, Split::kHeldOut);
  double before = KneserNey(counts, 0).bits(text);
  EXPECT_NEAR(before / text.size(), std::log2(corpus.alphabet.size()), 1e-9);
  for (int order = 1; order <= 3; ++order) {
    const double bits = KneserNey(counts, order).bits(text);
    EXPECT_LT(bits, before);
    before = bits;
  }
}

TEST_F(NgramCurriculum, ModelsWriteExactlyTheCharactersAskedFor) {
  const NgramModels models(settings());
  std::ostringstream out;
  Random random(1, Purpose::kSample, 0);
  models.sample(3, 100000, random, out);
  EXPECT_EQ(out.str().size(), 100000u);
  std::ostringstream again;
  Random same(1, Purpose::kSample, 0);
  models.sample(3, 500, same, again);
  EXPECT_EQ(again.str(), out.str().substr(0, 500));
}

TEST_F(NgramCurriculum, DescribesContextAndScoredCharacters) {
  const Ngram ngram(settings());
  Random random(1, Purpose::kSample, 0);
  EXPECT_EQ(ngram.unit(10), "character");
  EXPECT_THAT(ngram.describe(10, random),
              ::testing::AllOf(HasSubstr("10-gram"), HasSubstr("50 characters of context"),
                               HasSubstr("\nscored:  ")));
}

TEST_F(NgramCurriculum, SettingsOutOfRangeAreRefusedByName) {
  const auto message = [&](auto change, const std::string& expected) {
    NgramSettings wrong = settings();
    change(wrong);
    EXPECT_THAT([&] { Ngram{wrong}; }, ThrowsMessage<InputError>(HasSubstr(expected)));
  };
  message([](auto& s) { s.max_order = 21; },
          "ngram.max_order is 21, expected a whole number from 0 to 20");
  message([](auto& s) { s.max_order = -1; }, "ngram.max_order is -1");
  message([](auto& s) { s.characters = 0; }, "ngram.characters is 0");
  message([](auto& s) { s.sequence = 2001; },
          "ngram.sequence is 2001, expected at most ngram.characters, 2000");
  message([](auto& s) { s.context = 150; },
          "ngram.context is 150, expected less than ngram.sequence, 150");
}

}  // namespace
}  // namespace gradus
