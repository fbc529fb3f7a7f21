// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/ngram/models.h"

#include <cstdio>

#include "gradus/core/error.h"
#include "gradus/files/checksums.h"
#include "gradus/files/file.h"
#include "gradus/files/utf8.h"

namespace gradus {
namespace {

std::string hexadecimal(std::uint64_t value) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(value));
  return digits;
}

const NgramSettings& consistent(const NgramSettings& settings) {
  check(settings);
  return settings;
}

}  // namespace

std::string cache_name(const NgramCorpus& corpus, const std::string& kind,
                       const std::string& settings) {
  return "ngram-" + kind + "-" + hexadecimal(checksum(corpus.source + "\n" + settings));
}

std::string cache_key(const NgramCorpus& corpus, const std::string& settings) {
  return "text " + hexadecimal(corpus.checksum) + " of " + std::to_string(corpus.symbols.size()) +
         " characters; " + settings;
}

NgramCounts load_counts(const NgramCorpus& corpus, int max_order, const NgramCache& cache) {
  const std::string settings = "max_order " + std::to_string(max_order);
  const std::string name = cache_name(corpus, "counts", settings);
  const std::string key = cache_key(corpus, settings);
  if (const auto payload = cache.load(name, key)) {
    auto counts = NgramCounts::from_bytes(*payload);
    if (counts && counts->max_order() == max_order) return std::move(*counts);
    cache.reject(name);
  }
  NgramCounts counts(corpus.symbols, corpus.alphabet.size(), max_order);
  cache.store(name, key, counts.to_bytes());
  return counts;
}

NgramModels::NgramModels(const NgramSettings& settings, Note note)
    : corpus_(load_corpus(consistent(settings).corpus)),
      counts_(
          load_counts(corpus_, settings.max_order, NgramCache(settings.cache, std::move(note)))) {}

KneserNey NgramModels::model(int order) const {
  if (order < 0 || order > counts_.max_order()) {
    throw InputError("order is " + std::to_string(order) + ", expected 0.." +
                     std::to_string(counts_.max_order()));
  }
  return {counts_, order};
}

void NgramModels::sample(int order, std::int64_t count, Random& random, std::ostream& out) const {
  const KneserNey model = this->model(order);
  KneserNey::Context context;
  std::string text;
  for (std::int64_t i = 0; i < count; ++i) {
    const Symbol symbol = model.sample(context, random);
    context = model.advance(context, symbol);
    append_utf8(text, alphabet().character(symbol));
    if (text.size() >= 1 << 16) {
      out << text;
      text.clear();
    }
  }
  out << text;
}

double NgramModels::bits_per_character(int order, const std::string& path) const {
  const KneserNey model = this->model(order);
  const std::u32string text = decode_utf8(read_file(path), path);
  if (text.empty()) throw InputError(path + ": is empty, expected a text to score");
  return model.bits(alphabet().encode(text, path)) / static_cast<double>(text.size());
}

}  // namespace gradus
