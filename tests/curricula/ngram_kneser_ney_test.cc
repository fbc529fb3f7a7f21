// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "gradus/curricula/ngram/corpus.h"
#include "gradus/curricula/ngram/kneser_ney.h"
#include "tests/curricula/ngram_reference.h"

namespace gradus {
namespace {

// A model of a text of ASCII letters, queried by letter.
class Letters {
 public:
  Letters(const std::string& text, int order, int max_order)
      : corpus_(make_corpus(text, "test")),
        counts_(corpus_.symbols, corpus_.alphabet.size(), max_order),
        model_(counts_, order) {}
  Letters(const std::string& text, int order) : Letters(text, order, order) {}

  Symbol symbol(char letter) const { return *corpus_.alphabet.find(letter); }
  const KneserNey& model() const { return model_; }
  const Alphabet& alphabet() const { return corpus_.alphabet; }

  KneserNey::Context context(const std::string& before) const {
    KneserNey::Context context;
    for (const char letter : before) context = model_.advance(context, symbol(letter));
    return context;
  }
  double probability(const std::string& before, char next) const {
    return model_.probability(context(before), symbol(next));
  }
  double bits(const std::string& text) const {
    std::vector<Symbol> symbols;
    for (const char letter : text) symbols.push_back(symbol(letter));
    return model_.bits(symbols);
  }

 private:
  NgramCorpus corpus_;
  NgramCounts counts_;
  KneserNey model_;
};

TEST(KneserNey, OrderZeroIsUniformOverTheAlphabet) {
  const Letters letters("abacab", 0, 3);
  for (const char next : {'a', 'b', 'c'}) {
    EXPECT_DOUBLE_EQ(letters.probability("ab", next), 1.0 / 3);
  }
}

// Counts a 3, b 2, c 1; n1 = n2 = 1, so D = 1/3; the weight of the uniform is D * 3/6 = 1/6:
//   P(a) = (3 - 1/3)/6 + 1/6 * 1/3 = 1/2, P(b) = (2 - 1/3)/6 + 1/18 = 1/3, P(c) = 1/6.
TEST(KneserNey, OrderOneIsTheDiscountedUnigram) {
  const Letters letters("abacab", 1);
  EXPECT_DOUBLE_EQ(letters.probability("", 'a'), 1.0 / 2);
  EXPECT_DOUBLE_EQ(letters.probability("a", 'b'), 1.0 / 3);
  EXPECT_DOUBLE_EQ(letters.probability("cb", 'c'), 1.0 / 6);
}

// Order 1 by continuations: a follows {b, c}, b {a}, c {a}: C = 2, 1, 1; n1 = 2, n2 = 1, D_1 = 1/2;
// the weight of the uniform is 1/2 * 3/4 = 3/8:
//   P_1(a) = (3/2)/4 + 3/8 * 1/3 = 1/2, P_1(b) = P_1(c) = (1/2)/4 + 1/8 = 1/4.
// Order 2 by occurrences: ab 2, ac 1, ba 1, ca 1; n1 = 3, n2 = 1, D_2 = 3/5.
// After a: total 3, two kinds, weight 3/5 * 2/3 = 2/5:
//   P(a|a) = 2/5 * 1/2 = 6/30, P(b|a) = (7/5)/3 + 2/5 * 1/4 = 17/30, P(c|a) = (2/5)/3 + 1/10 =
//   7/30.
// After b (the last b has no successor): total 1, one kind, weight 3/5:
//   P(a|b) = 2/5 + 3/5 * 1/2 = 7/10, P(b|b) = P(c|b) = 3/5 * 1/4 = 3/20.
TEST(KneserNey, OrderTwoAgreesWithTheHandWorkedText) {
  const Letters letters("abacab", 2);
  EXPECT_DOUBLE_EQ(letters.probability("a", 'a'), 6.0 / 30);
  EXPECT_DOUBLE_EQ(letters.probability("a", 'b'), 17.0 / 30);
  EXPECT_DOUBLE_EQ(letters.probability("ca", 'c'), 7.0 / 30);
  EXPECT_DOUBLE_EQ(letters.probability("b", 'a'), 7.0 / 10);
  EXPECT_DOUBLE_EQ(letters.probability("b", 'b'), 3.0 / 20);
  EXPECT_DOUBLE_EQ(letters.probability("ab", 'c'), 3.0 / 20);
}

// Nothing comes before the text, so P_1 with continuation counts predicts its first character: 1/2
// for a.
TEST(KneserNey, AShortContextIsReadByTheLowerOrderOfTheSameModel) {
  const Letters letters("abacab", 2);
  EXPECT_DOUBLE_EQ(letters.probability("", 'a'), 1.0 / 2);
  EXPECT_DOUBLE_EQ(letters.bits("ab"), 1 + std::log2(30.0 / 17));
}

// Order 3: aba, bac, aca, cab occur once, so D_3 = 1. ab (after c), ba, ac and ca each follow only
// one character, so D_2 = 1. Both levels give their whole weight to P_1 = (1/2, 1/4, 1/4).
TEST(KneserNey, AnUnseenContextBacksOffOutright) {
  const Letters letters("abacab", 3);
  EXPECT_DOUBLE_EQ(letters.probability("ca", 'b'), 1.0 / 4);
  EXPECT_DOUBLE_EQ(letters.probability("bb", 'c'), letters.probability("b", 'c'));
  EXPECT_DOUBLE_EQ(letters.probability("bb", 'c'), 1.0 / 4);
}

// x has nothing before it, so its continuation count is 0; that of a is 2. Since n1 = 0, D_1 = 0.
// Order 2 (xa, aa: D_2 = 1) gives its whole weight to P_1.
TEST(KneserNey, ACharacterOnlyEverFirstMayHaveProbabilityZero) {
  const Letters letters("xaa", 2);
  EXPECT_EQ(letters.probability("a", 'x'), 0.0);
  EXPECT_EQ(letters.probability("a", 'a'), 1.0);
  EXPECT_EQ(letters.bits("ax"), std::numeric_limits<double>::infinity());
}

TEST(KneserNey, AHigherMaximalOrderDoesNotChangeAModel) {
  const std::string text = "the cat sat on the mat, the rat ate the cat";
  const Letters alone(text, 3);
  const Letters among(text, 3, 8);
  EXPECT_EQ(alone.bits(text), among.bits(text));
}

std::string draw_text(int least) {
  const int letters = *rc::gen::inRange(1, 5);
  const auto letter =
      rc::gen::map(rc::gen::inRange(0, letters), [](int i) { return static_cast<char>('a' + i); });
  const int size = *rc::gen::inRange(least, 80);
  return *rc::gen::container<std::string>(size, letter);
}

// A context of letters that occur in the text, but not always in that order.
std::string draw_context(const std::string& text) {
  const int size = *rc::gen::inRange(0, 9);
  return *rc::gen::container<std::string>(size, rc::gen::elementOf(text));
}

TEST(KneserNey, ProbabilitiesSumToOneInEveryContext) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = draw_text(1);
    const Letters letters(text, *rc::gen::inRange(0, 8));
    const auto context = letters.context(draw_context(text));
    double sum = 0;
    for (int i = 0; i < letters.alphabet().size(); ++i) {
      const auto next = static_cast<Symbol>(i);
      const double p = letters.model().probability(context, next);
      RC_ASSERT(p >= 0.0);
      sum += p;
    }
    RC_ASSERT(std::abs(sum - 1) < 1e-12);
  }));
}

TEST(KneserNey, AgreesWithASlowModelFromTheDefinition) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = draw_text(1);
    const int order = *rc::gen::inRange(0, 8);
    const Letters letters(text, order, order + *rc::gen::inRange(0, 3));
    const testing::SlowKneserNey slow(text, order);
    // Contexts from the text reach the highest level; random ones test falling back to shorter
    // contexts.
    const std::string context = *rc::gen::arbitrary<bool>()
                                    ? draw_context(text)
                                    : text.substr(0, *rc::gen::inRange<int>(0, text.size()));
    for (const char next : slow.alphabet()) {
      RC_ASSERT(std::abs(letters.probability(context, next) - slow.probability(context, next)) <
                1e-12);
    }
  }));
}

TEST(KneserNey, SamplesWithTheProbabilitiesItStates) {
  const Letters letters("she sells sea shells by the sea shore, so she sells sea shore shells", 4);
  for (const std::string before : {"", "s", "she", "lls", "y,b"}) {
    const auto context = letters.context(before);
    constexpr int kDraws = 100000;
    std::vector<int> seen(letters.alphabet().size());
    Random random(7, Purpose::kSample, before.size());
    for (int i = 0; i < kDraws; ++i) ++seen[letters.model().sample(context, random)];
    double chi_square = 0;
    for (std::size_t next = 0; next < seen.size(); ++next) {
      const double expected =
          kDraws * letters.model().probability(context, static_cast<Symbol>(next));
      EXPECT_GT(expected, 0);
      chi_square += (seen[next] - expected) * (seen[next] - expected) / expected;
    }
    // At most 14 characters: with 13 degrees of freedom, 34.5 is exceeded once in a thousand.
    EXPECT_LT(chi_square, 34.5) << "after \"" << before << "\"";
  }
}

TEST(NgramCounts, SurvivesItsCompactForm) {
  const std::string text = "in the beginning was the word";
  const NgramCorpus corpus = make_corpus(text, "test");
  const NgramCounts counts(corpus.symbols, corpus.alphabet.size(), 5);
  const auto again = NgramCounts::from_bytes(counts.to_bytes());
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(KneserNey(*again, 5).bits(corpus.symbols), KneserNey(counts, 5).bits(corpus.symbols));
  EXPECT_FALSE(NgramCounts::from_bytes(counts.to_bytes().substr(1)).has_value());
  EXPECT_FALSE(NgramCounts::from_bytes(counts.to_bytes() + "x").has_value());
  EXPECT_FALSE(NgramCounts::from_bytes("").has_value());
}

}  // namespace
}  // namespace gradus
