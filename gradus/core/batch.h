// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gradus {

// Shape letters, used everywhere: B sequences, T time steps, I inputs, H cells, O outputs,
// P parameters, N tasks.

/// What a network reads at one step: a one-hot token, binary channels and real channels, in this
/// order. Any of the three may be absent.
struct InputSpec {
  int tokens = 0;  ///< vocabulary size, or 0 if there are no tokens
  int bits = 0;    ///< binary channels, at most 32
  int reals = 0;   ///< real channels
  int width() const { return tokens + bits + reals; }
  bool operator==(const InputSpec&) const = default;
};

/// What a network predicts at one step.
enum class OutputKind {
  kSoftmax,  ///< one of `width` tokens, categorical
  kSigmoid,  ///< `width` independent bits (at most 32), Bernoulli
};

struct OutputSpec {
  OutputKind kind = OutputKind::kSoftmax;
  int width = 0;
  bool operator==(const OutputSpec&) const = default;
};

/// The shape of a curriculum's inputs and outputs.
struct DataSpec {
  InputSpec input;
  OutputSpec output;
  bool operator==(const DataSpec&) const = default;
};

/// One sequence before batching. Fields that the DataSpec does not use are empty.
struct Sequence {
  std::vector<std::int32_t> tokens;    ///< (T) index of the one-hot input, or kNoToken for no input
  std::vector<std::uint32_t> bits;     ///< (T) binary channels, channel j is bit j
  std::vector<float> reals;            ///< (T, input.reals)
  std::vector<std::uint8_t> scored;    ///< (T) 1 if the output is scored, else 0
  std::vector<std::uint32_t> targets;  ///< (T) token id or output bits; ignored if not scored
  int length() const { return static_cast<int>(scored.size()); }
};

inline constexpr std::int32_t kNoToken = -1;

/// Sequences of one task, laid out for a back end. Time-major, so that step t of all sequences is
/// contiguous. Longest sequence first, so that the sequences still running at a step are always a
/// prefix. Steps past a sequence's length have no input and are not scored.
struct Batch {
  int sequences = 0;                   ///< B
  int steps = 0;                       ///< T, the longest length
  std::vector<std::int32_t> lengths;   ///< (B), non-increasing, each in 1..T
  std::vector<std::int32_t> tokens;    ///< (T, B) or empty
  std::vector<std::uint32_t> bits;     ///< (T, B) or empty
  std::vector<float> reals;            ///< (T, B, input.reals) or empty
  std::vector<std::uint8_t> scored;    ///< (T, B)
  std::vector<std::uint32_t> targets;  ///< (T, B)

  /// Number of input steps, without padding. All time axes count these.
  std::int64_t input_steps() const;
  /// Number of scored outputs, over all sequences.
  std::int64_t outputs() const;
  /// The paper's tau(x): the length of the longest input sequence (section 3).
  int cost() const { return steps; }
};

/// Lays sequences out as a batch. Sequences of equal length keep their order. Throws
/// std::logic_error if a sequence is empty, scores no output or does not fit `spec`: such a
/// sequence is a bug in the curriculum.
Batch make_batch(std::span<const Sequence> sequences, const DataSpec& spec);

/// Returns sequences [first, first + count) of `batch` as a batch, cut to the length of the
/// longest. Throws std::logic_error if the range is empty or not within `batch`.
Batch slice(const Batch& batch, int first, int count);

}  // namespace gradus
