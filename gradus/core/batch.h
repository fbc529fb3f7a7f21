#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gradus {

// Shape letters, used everywhere: B sequences, T time steps, I inputs, H cells, O outputs,
// P parameters, N tasks.

/// What a network reads at one step: a one-hot token, some binary channels, some real channels, in
/// this order. Any of the three may be absent.
struct InputSpec {
  int tokens = 0;  ///< vocabulary size, 0 for none
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

/// How the data of a curriculum looks to a network.
struct DataSpec {
  InputSpec input;
  OutputSpec output;
  bool operator==(const DataSpec&) const = default;
};

/// One sequence before batching. A field that its DataSpec does not use stays empty.
struct Sequence {
  std::vector<std::int32_t> tokens;    ///< (T) one-hot input, or kNoToken for none
  std::vector<std::uint32_t> bits;     ///< (T) binary channels, channel j is bit j
  std::vector<float> reals;            ///< (T, input.reals)
  std::vector<std::uint8_t> scored;    ///< (T) 1 where the output counts, else 0
  std::vector<std::uint32_t> targets;  ///< (T) token id or output bits; read where scored
  int length() const { return static_cast<int>(scored.size()); }
};

inline constexpr std::int32_t kNoToken = -1;

/// Sequences of one task, laid out for a back end: time-major, so that step t of all sequences is
/// contiguous, longest sequence first, so that those still running at any step are a prefix. Steps
/// past a sequence's length hold no input and are not scored.
struct Batch {
  int sequences = 0;                   ///< B
  int steps = 0;                       ///< T, the longest length
  std::vector<std::int32_t> lengths;   ///< (B), not increasing, each in 1..T
  std::vector<std::int32_t> tokens;    ///< (T, B) or empty
  std::vector<std::uint32_t> bits;     ///< (T, B) or empty
  std::vector<float> reals;            ///< (T, B, input.reals) or empty
  std::vector<std::uint8_t> scored;    ///< (T, B)
  std::vector<std::uint32_t> targets;  ///< (T, B)

  /// Input steps without padding: what every time axis counts.
  std::int64_t input_steps() const;
  /// Scored outputs over all sequences.
  std::int64_t outputs() const;
  /// The paper's tau(x): the length of the longest input sequence (section 3).
  int cost() const { return steps; }
};

/// Lays sequences out as a batch; equal lengths keep their order. Throws std::logic_error where a
/// sequence is empty, scores nothing, or does not fit `spec`: a curriculum's own mistake.
Batch make_batch(std::span<const Sequence> sequences, const DataSpec& spec);

/// Sequences [first, first + count) of `batch` as a batch of their own, cut to their longest.
/// Throws std::logic_error where `batch` does not have them or count is 0.
Batch slice(const Batch& batch, int first, int count);

}  // namespace gradus
