// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gradus/core/curriculum.h"
#include "gradus/curricula/ngram/data_sets.h"

namespace gradus {

/// The sequence that reads and predicts `characters`; class Ngram describes it.
Sequence ngram_sequence(std::span<const Symbol> characters, int context);

/// N-gram language modelling (paper, section 4.1): text sampled from Kneser-Ney models of a corpus.
/// There is one task per order, named "0-gram", "1-gram" and so on. The target task is the highest
/// order. A data set is cut into consecutive sequences of `sequence` characters; the rest at its
/// end is not used. The sequences of a batch are drawn from them uniformly, with replacement. With
/// c_t the characters of a sequence, t = 0 .. sequence - 1:
///
///   step                      token     scored output
///   0                         none      - (c_0 if context is 0)
///   1 .. context - 1          c_{t-1}   -
///   context .. sequence - 1   c_{t-1}   c_t
///
/// So a sequence has `sequence` input steps and scores `sequence - context` characters, each
/// predicted from all characters before it.
class Ngram final : public Curriculum {
 public:
  /// Reads the corpus and makes the data sets or loads them from the cache. Throws InputError if a
  /// setting or the corpus is wrong. `note` gets warnings about the cache.
  explicit Ngram(const NgramSettings& settings, Note note = nullptr);

  std::string_view name() const override { return "ngram"; }
  const std::vector<std::string>& tasks() const override { return tasks_; }
  std::optional<int> target() const override { return settings_.max_order; }
  const DataSpec& data() const override { return data_; }
  std::vector<std::string> vocabulary() const override;
  std::vector<DataSource> sources() const override { return {corpus_}; }
  std::string_view unit(int /*task*/) const override { return "character"; }
  /// Number of sequences in the training sets of all tasks.
  double total_sequences() const override;
  Batch sample(int task, int count, Split split, Random& random) const override;
  std::string describe(int task, Random& random) const override;
  CurriculumDescription description() const override { return description_of(settings_); }

 private:
  Ngram(const NgramSettings& settings, const NgramCorpus& corpus, Note note);
  std::uint32_t sequences() const;
  std::span<const Symbol> draw(int task, Split split, Random& random) const;

  NgramSettings settings_;
  Alphabet alphabet_;
  DataSource corpus_;
  NgramDataSets sets_;
  DataSpec data_;
  std::vector<std::string> tasks_;
};

}  // namespace gradus
