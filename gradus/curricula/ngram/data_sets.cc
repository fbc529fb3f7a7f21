// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/ngram/data_sets.h"

#include <algorithm>

#include "gradus/curricula/ngram/bytes.h"
#include "gradus/curricula/ngram/models.h"

namespace gradus {
namespace {

std::size_t set_count(const NgramSettings& settings) {
  return 2 * (static_cast<std::size_t>(settings.max_order) + 1);
}

}  // namespace

NgramDataSets::NgramDataSets(const NgramCounts& counts, const NgramSettings& settings)
    : sets_(set_count(settings)) {
  for (std::uint32_t lane = 0; lane < sets_.size(); ++lane) {
    const KneserNey model(counts, static_cast<int>(lane / 2));
    Random random(static_cast<std::uint64_t>(settings.data_seed), Purpose::kDataSet, 0, lane);
    KneserNey::Context context;
    sets_[lane].resize(settings.characters);
    for (Symbol& symbol : sets_[lane]) {
      symbol = model.sample(context, random);
      context = model.advance(context, symbol);
    }
  }
}

std::string NgramDataSets::to_bytes() const {
  ByteWriter writer;
  for (const std::vector<Symbol>& set : sets_) writer.array(set);
  return writer.take();
}

std::optional<NgramDataSets> NgramDataSets::from_bytes(std::string_view bytes,
                                                       const NgramSettings& settings,
                                                       int alphabet_size) {
  ByteReader reader(bytes);
  NgramDataSets data_sets;
  data_sets.sets_.resize(set_count(settings));
  for (std::vector<Symbol>& set : data_sets.sets_) {
    if (!reader.array(set) || set.size() != static_cast<std::size_t>(settings.characters) ||
        *std::max_element(set.begin(), set.end()) >= alphabet_size) {
      return std::nullopt;
    }
  }
  return reader.at_end() ? std::optional(std::move(data_sets)) : std::nullopt;
}

NgramDataSets load_data_sets(const NgramCorpus& corpus, const NgramSettings& settings,
                             const NgramCache& cache) {
  const std::string made_with = "max_order " + std::to_string(settings.max_order) +
                                ", characters " + std::to_string(settings.characters) +
                                ", data_seed " + std::to_string(settings.data_seed);
  const std::string name = cache_name(corpus, "sets", made_with);
  const std::string key = cache_key(corpus, made_with);
  if (const auto payload = cache.load(name, key)) {
    auto sets = NgramDataSets::from_bytes(*payload, settings, corpus.alphabet.size());
    if (sets) return std::move(*sets);
    cache.reject(name);
  }
  NgramDataSets sets(load_counts(corpus, settings.max_order, cache), settings);
  cache.store(name, key, sets.to_bytes());
  return sets;
}

}  // namespace gradus
