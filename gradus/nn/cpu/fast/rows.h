#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gradus/core/batch.h"
#include "gradus/nn/cpu/fast/inputs.h"
#include "gradus/nn/cpu/fast/products.h"

namespace gradus::fast {

/// Stretches of rows in chunks of at most 256, over which products are summed apart.
class Chunks {
 public:
  void clear();
  /// Joins what continues the last stretch.
  void add(Stretch stretch);
  int size() const { return static_cast<int>(ends_.size()); }
  std::span<const Stretch> operator[](int chunk) const;

 private:
  std::vector<Stretch> stretches_;
  std::vector<std::size_t> ends_;  // of each chunk in stretches_
  int in_last_ = 0;                // rows of the last chunk
};

/// Where the steps of a batch lie. Only real steps are stored: the rows of step t are the sequences
/// longer than t, which a batch keeps as a prefix, so that a ragged batch costs what its sequences
/// cost. M is the sum of lengths.
class Rows {
 public:
  void lay_out(const Batch& batch, const InputSpec& spec);

  int steps() const { return static_cast<int>(starts_.size()) - 1; }
  std::size_t count() const { return starts_.back(); }
  /// Rows of a panel with the gap that follows: panels then start in different cache sets.
  std::size_t padded() const { return spread(count()); }
  std::size_t start(int t) const { return starts_[t]; }
  int active(int t) const {
    return t < steps() ? static_cast<int>(starts_[t + 1] - starts_[t]) : 0;
  }

  const SparseInputs& inputs() const { return inputs_; }
  /// h_{t-1} beside row t; every row beside itself; every scored row beside itself.
  const Chunks& shifted() const { return shifted_; }
  const Chunks& all() const { return all_; }
  const Chunks& scored_chunks() const { return scored_chunks_; }

  /// Rows whose output counts, and their targets.
  std::span<const std::size_t> scored() const { return scored_; }
  std::span<const std::uint32_t> targets() const { return targets_; }
  std::size_t padded_scored() const { return spread(scored_.size()); }

 private:
  static std::size_t spread(std::size_t rows) { return rows + (72 - rows % 64) % 64; }

  std::vector<std::size_t> starts_{0};  // (T + 1)
  std::vector<std::size_t> scored_;
  std::vector<std::uint32_t> targets_;
  SparseInputs inputs_;
  Chunks shifted_;
  Chunks all_;
  Chunks scored_chunks_;
};

}  // namespace gradus::fast
