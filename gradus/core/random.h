#pragma once

#include <array>
#include <cstdint>

namespace gradus {

/// What a stream of random numbers is for. Streams of different purposes never share a number; the
/// values are part of what a saved run depends on, so they are never reused or renumbered.
enum class Purpose : std::uint8_t {
  kInitialWeights = 1,
  kPolicyDraw = 2,
  kReservoir = 3,
  kTrainingBatch = 4,
  kProbeBatch = 5,
  kProbeTask = 6,
  kHeldOutBatch = 7,
  kWeightNoise = 8,
  kDataSet = 9,
  kSample = 10,
  // 11 was the bootstrap of the report.
  kShuffle = 12,
  kSequenceLength = 13,
};

/// Block `block` of the stream that Random(seed, purpose, index, lane) reads: four numbers, for
/// code that fills an array in any order. REQUIRES lane < 2^24.
std::array<std::uint32_t, 4> random_block(std::uint64_t seed, Purpose purpose, std::uint64_t index,
                                          std::uint32_t lane, std::uint32_t block);

/// A stream of random numbers that is a pure function of (seed, purpose, index, lane), by Philox
/// 4x32-10 (Salmon et al. 2011). There is no global state and no order between streams: any stream
/// can be made at any time on any thread. A stream holds 2^34 32-bit numbers.
class Random {
 public:
  using result_type = std::uint32_t;

  /// `lane` separates streams of one purpose and index, for example by task; REQUIRES lane < 2^24.
  Random(std::uint64_t seed, Purpose purpose, std::uint64_t index, std::uint32_t lane = 0);

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return 0xffffffffu; }
  result_type operator()();

  /// Uniform in [0, 1) with 53 random bits.
  double uniform();
  /// Uniform in {0, ..., bound - 1}, without bias. REQUIRES bound > 0.
  std::uint32_t below(std::uint32_t bound);
  /// True with probability 1/2.
  bool coin();
  /// Standard normal.
  double normal();

 private:
  std::uint64_t seed_;
  std::uint64_t index_;
  Purpose purpose_;
  std::uint32_t lane_;
  std::uint32_t block_ = 0;
  std::uint32_t used_ = 4;
  std::array<std::uint32_t, 4> numbers_{};
};

}  // namespace gradus
