#pragma once

#include <array>
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

/// A batch falls into two halves, the runs of even and of odd number, whatever the number of
/// threads. Weight gradients are summed over each and then added, so that two threads with a half
/// each read nothing that the other wrote before the end.
inline constexpr int kHalves = 2;

/// The rows of one half.
struct Half {
  Chunks shifted;  ///< h_{t-1} beside row t
  Chunks all;      ///< every row beside itself
  Chunks scored;   ///< rows whose output counts, beside their numbers among them
};

/// An output that counts.
struct ScoredOutput {
  int sequence;
  int step;
};

/// Where the steps of a batch lie. A run of four sequences has a place of its own, in which its
/// steps follow each other: row 4 t + b for its sequence b (3 t + b where a batch has but three).
/// Of sequences that have ended nothing is computed or read; a batch keeps the longest first.
class Rows {
 public:
  void lay_out(const Batch& batch, const InputSpec& spec);

  int steps() const { return static_cast<int>(active_.size()); }
  int sequences() const { return active(0); }
  /// Sequences longer than t, which come first.
  int active(int t) const { return t < steps() ? active_[t] : 0; }
  /// Row of sequence b at step t; rows between two runs; rows of all.
  std::size_t at(int t, int b) const {
    return b / kRun * run_ + static_cast<std::size_t>(t) * width_ + b % kRun;
  }
  std::size_t run() const { return run_; }
  std::size_t padded() const { return spread(run_ * runs_); }

  const SparseInputs& inputs() const { return inputs_; }
  const Half& half(int half) const { return halves_[half]; }
  /// 1 where all sequences are in the first half.
  int halves() const { return runs_ > 1 ? kHalves : 1; }

  /// The outputs that count, one half after the other, and their targets.
  std::span<const ScoredOutput> scored() const { return scored_; }
  std::span<const std::uint32_t> targets() const { return targets_; }
  std::size_t padded_scored() const { return spread(scored_.size()); }

 private:
  // A gap makes runs, and panels, start in different cache sets.
  static std::size_t spread(std::size_t rows) { return rows + (72 - rows % 64) % 64; }
  // Sequences of run `run` that are longer than t.
  int running(int run, int t) const;
  void lay_out_inputs(const Batch& batch, const InputSpec& spec);
  void lay_out_run(const Batch& batch, int run, Half& half);

  std::vector<int> active_;  // (T)
  int runs_ = 0;
  std::size_t width_ = 0;  // rows of a step in a run
  std::size_t run_ = 0;
  SparseInputs inputs_;
  std::array<Half, kHalves> halves_;
  std::vector<ScoredOutput> scored_;
  std::vector<std::uint32_t> targets_;
};

}  // namespace gradus::fast
