// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "gradus/curricula/ngram/cache.h"
#include "gradus/curricula/ngram/corpus.h"
#include "gradus/curricula/ngram/kneser_ney.h"

namespace gradus {

/// Returns the counts of `corpus` up to `max_order` from the cache, or computes them and stores
/// them there.
NgramCounts load_counts(const NgramCorpus& corpus, int max_order, const NgramCache& cache);

/// The name and the key of a cache entry made from a corpus. `kind` is one word; `settings` lists
/// everything besides the text that the entry depends on. Entries of different settings have
/// different names; an entry whose text has changed is replaced.
std::string cache_name(const NgramCorpus& corpus, const std::string& kind,
                       const std::string& settings);
std::string cache_key(const NgramCorpus& corpus, const std::string& settings);

/// The models of a corpus, for sampling and scoring with `gradus data ngram`.
class NgramModels {
 public:
  /// Throws InputError if a setting or the corpus is wrong.
  explicit NgramModels(const NgramSettings& settings, Note note = nullptr);

  const Alphabet& alphabet() const { return corpus_.alphabet; }
  /// Throws InputError if there is no such order. This object must outlive the result.
  KneserNey model(int order) const;

  /// Writes `count` characters sampled from the model of `order`, as UTF-8 and nothing else.
  void sample(int order, std::int64_t count, Random& random, std::ostream& out) const;
  /// Bits per character of the UTF-8 file at `path` (KneserNey::bits() over its characters). Throws
  /// InputError if the file cannot be read, is empty, is not UTF-8, or has a character that is not
  /// in the corpus.
  double bits_per_character(int order, const std::string& path) const;

 private:
  NgramCorpus corpus_;
  NgramCounts counts_;
};

}  // namespace gradus
