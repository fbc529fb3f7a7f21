#pragma once

#include <ostream>

#include "gradus/curricula/ngram/cache.h"
#include "gradus/curricula/ngram/corpus.h"
#include "gradus/curricula/ngram/kneser_ney.h"

namespace gradus {

/// The counts of `corpus` up to `max_order`, from the cache where it has them, else made and kept.
NgramCounts load_counts(const NgramCorpus& corpus, int max_order, const NgramCache& cache);

/// Name and key of what is kept of a corpus: files of other settings live side by side, one whose
/// text has changed is replaced. `kind` is a word; `settings` says all that the content depends on
/// beside the text.
std::string cache_name(const NgramCorpus& corpus, const std::string& kind,
                       const std::string& settings);
std::string cache_key(const NgramCorpus& corpus, const std::string& settings);

/// The models of a corpus, to sample from and to score with: `gradus data ngram`.
class NgramModels {
 public:
  /// Throws InputError where a setting or the corpus is wrong.
  explicit NgramModels(const NgramSettings& settings, NgramNote note = nullptr);

  const Alphabet& alphabet() const { return corpus_.alphabet; }
  /// Throws InputError where there is no such order. The models must outlive it.
  KneserNey model(int order) const;

  /// Writes `count` characters drawn from the model of `order` as UTF-8, with nothing around them.
  void sample(int order, std::int64_t count, Random& random, std::ostream& out) const;
  /// Bits per character of the UTF-8 file at `path` (KneserNey::bits over its characters). Throws
  /// InputError where it cannot be read, is empty, or has a character that the corpus has not.
  double bits_per_character(int order, const std::string& path) const;

 private:
  NgramCorpus corpus_;
  NgramCounts counts_;
};

}  // namespace gradus
