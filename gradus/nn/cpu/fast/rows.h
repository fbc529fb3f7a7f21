// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/core/batch.h"
#include "gradus/nn/cpu/fast/inputs.h"
#include "gradus/nn/cpu/fast/products.h"

namespace gradus::fast {

/// Stretches of rows, grouped into chunks of at most 256 rows. Products are summed separately per
/// chunk.
class Chunks {
 public:
  void clear();
  /// Appends rows. Merges them with the last stretch if they continue it.
  void add(Stretch stretch);
  int size() const { return static_cast<int>(ends_.size()); }
  std::span<const Stretch> operator[](int chunk) const;

 private:
  std::vector<Stretch> stretches_;
  std::vector<std::size_t> ends_;  // end of each chunk in stretches_
  int in_last_ = 0;                // rows in the last chunk
};

/// A batch is split into two parts, the quads with even and with odd numbers, whatever the number
/// of threads. Weight gradients are summed per part and then added, so that two threads with one
/// part each do not read each other's data before the end.
inline constexpr int kParts = 2;

/// The rows of one part.
struct Part {
  Chunks shifted;  ///< pairs the row of h_{t-1} with that of step t
  Chunks all;      ///< pairs every row with itself
  Chunks scored;   ///< pairs scored rows with their numbers among all scored rows
};

/// A scored output.
struct ScoredOutput {
  int sequence;
  int step;
};

/// Maps the steps of a batch to rows. Each quad of sequences has its own region, with its steps
/// in order: row w t + b for its sequence b, with w = min(4, B). Sequences that have ended are
/// neither computed nor read; a batch has its longest sequences first.
class Rows {
 public:
  void lay_out(const Batch& batch, const InputSpec& spec);

  int steps() const { return static_cast<int>(active_.size()); }
  int sequences() const { return active(0); }
  /// Number of sequences longer than t. They come first in the batch.
  int active(int t) const { return t < steps() ? active_[t] : 0; }
  /// at(): row of sequence b at step t. quad_stride(): rows from the start of one quad to the next.
  /// padded(): rows of a panel, with padding.
  std::size_t at(int t, int b) const {
    return b / kQuad * quad_stride_ + static_cast<std::size_t>(t) * width_ + b % kQuad;
  }
  std::size_t quad_stride() const { return quad_stride_; }
  std::size_t padded() const { return spread(quad_stride_ * quads_); }

  const SparseInputs& inputs() const { return inputs_; }
  const Part& part(int part) const { return parts_[part]; }
  /// 1 if all sequences are in the first part.
  int parts() const { return quads_ > 1 ? kParts : 1; }

  /// The scored outputs and their targets, first those of one part, then those of the other.
  std::span<const ScoredOutput> scored() const { return scored_; }
  std::span<const std::uint32_t> targets() const { return targets_; }
  std::size_t padded_scored() const { return spread(scored_.size()); }

 private:
  // Adds a gap, so that quads and panels start in different cache sets.
  static std::size_t spread(std::size_t rows) { return rows + (72 - rows % 64) % 64; }
  // Number of sequences of quad `quad` that are longer than t.
  int running(int quad, int t) const;
  void lay_out_inputs(const Batch& batch, const InputSpec& spec);
  void lay_out_quad(const Batch& batch, int quad, Part& part);

  std::vector<int> active_;  // (T)
  int quads_ = 0;
  std::size_t width_ = 0;  // rows per step of a quad
  std::size_t quad_stride_ = 0;
  SparseInputs inputs_;
  std::array<Part, kParts> parts_;
  std::vector<ScoredOutput> scored_;
  std::vector<std::uint32_t> targets_;
};

}  // namespace gradus::fast
