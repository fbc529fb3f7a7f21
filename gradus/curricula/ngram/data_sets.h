// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/curriculum.h"
#include "gradus/curricula/ngram/cache.h"
#include "gradus/curricula/ngram/corpus.h"
#include "gradus/curricula/ngram/counts.h"

namespace gradus {

/// Text sampled from the models of one corpus. Each order has a training set and a held-out set of
/// settings.characters characters, each sampled as one continuous text. The set of (order, split)
/// is a pure function of corpus, characters and data_seed and does not depend on max_order: its
/// random numbers come from Random(data_seed, Purpose::kDataSet, 0, 2 * order + split).
class NgramDataSets {
 public:
  NgramDataSets(const NgramCounts& counts, const NgramSettings& settings);

  std::span<const Symbol> set(int order, Split split) const {
    return sets_[2 * order + static_cast<int>(split)];
  }

  std::string to_bytes() const;
  /// Returns nullopt if the bytes are not data sets of these settings and this alphabet size.
  static std::optional<NgramDataSets> from_bytes(std::string_view bytes,
                                                 const NgramSettings& settings, int alphabet_size);

 private:
  NgramDataSets() = default;

  std::vector<std::vector<Symbol>> sets_;  // (2 * order + split)
};

/// Returns the data sets of `corpus` from the cache, or makes them and stores them there.
NgramDataSets load_data_sets(const NgramCorpus& corpus, const NgramSettings& settings,
                             const NgramCache& cache);

}  // namespace gradus
