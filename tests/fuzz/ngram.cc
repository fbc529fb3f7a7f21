// SPDX-License-Identifier: Apache-2.0
// The corpus of the n-gram models, the output of the program `bible`, and counts from the cache.
// What is read as counts can be written again, and predicts with probabilities.

#include <cmath>

#include "gradus/curricula/ngram/corpus.h"
#include "gradus/curricula/ngram/king_james.h"
#include "gradus/curricula/ngram/kneser_ney.h"
#include "tests/fuzz/fuzz.h"

namespace gradus::fuzz {
namespace {

void use(const NgramCounts& counts) {
  for (int order = 0; order <= counts.max_order(); ++order) {
    const KneserNey model(counts, order);
    KneserNey::Context context;
    Random random(1, Purpose::kDataSet, 0);
    for (int i = 0; i < 3; ++i) {
      double sum = 0;
      for (int symbol = 0; symbol < counts.alphabet_size(); ++symbol) {
        sum += model.probability(context, static_cast<Symbol>(symbol));
      }
      require(std::abs(sum - 1) < 1e-6, "probabilities sum to 1, not " + to_text(sum));
      context = model.advance(context, model.sample(context, random));
    }
  }
}

}  // namespace

GRADUS_FUZZ_TARGET(ngram)(const std::string& text) {
  accepted([&] { return canterbury_shape(text); });
  if (const auto counts = NgramCounts::from_bytes(text)) {
    require(counts->to_bytes() == text, "counts are written as they were read");
    use(*counts);
  }
  const auto corpus = accepted([&] { return make_corpus(text, "fuzzed"); });
  if (corpus) use(NgramCounts(corpus->symbols, corpus->alphabet.size(), 3));
}

}  // namespace gradus::fuzz
