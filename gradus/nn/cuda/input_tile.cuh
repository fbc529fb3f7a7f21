// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gradus/nn/cuda/operands.cuh"
#include "gradus/nn/cuda/time_loop.h"
#include "gradus/nn/cuda/time_loop_block.cuh"

namespace gradus::cuda {

/// Feeds few inputs to a forward time loop as 16 more rows of h, which is one more tile in each
/// step's product. So their contribution need not be computed before the time loop or stored for
/// it.
template <int H, int N>
class InputTile {
 public:
  static constexpr int kSize = 16 * N;  ///< in halves; tiles of operand_descriptor<N>()

  /// REQUIRES `tile` in shared memory, kSize halves.
  __device__ InputTile(const ForwardTimeLoop& loop, const TimeLoopThread<H, N>& self, __half* tile)
      : inputs_(loop.inputs) {
    const int thread = static_cast<int>(threadIdx.x);
    const int column = thread / 8;
    sequence_ = self.group + column;
    if (thread < 8 * N && sequence_ < loop.rows.sequences) {
      length_ = loop.rows.lengths[sequence_];
    }
    to_ = reinterpret_cast<std::uint32_t*>(tile) + pair_ / 4 * (N * 4) + column * 4 + pair_ % 4;
  }

  /// Loads the thread's part of the input weights, one tile of the product's left operand.
  __device__ void load_weights(const TimeLoopThread<H, N>& self,
                               std::uint32_t (&weights)[4]) const {
    const int channels = inputs_.spec.tokens + inputs_.spec.bits + inputs_.spec.reals;
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      const int row = self.warp * 16 + self.lane / 4 + 8 * (r & 1);
      const float* from = inputs_.weights + row / 32 * H + self.rank * kCellsOfBlock + row % 32;
      const auto weight = [&](int k) {
        return k < channels ? from[static_cast<std::size_t>(k) * 4 * H] : 0.0f;
      };
      const int k = self.lane % 4 * 2 + 8 * (r >> 1);
      weights[r] = two_halves(weight(k), weight(k + 1));
    }
  }

  /// Starts loading the inputs of step t, whose first row is `start`.
  __device__ void load(int t, int start) {
    bits_ = 0;
    token_ = kNoToken;
    reals_[0] = reals_[1] = 0;
    if (t >= length_) return;
    const InputSpec& spec = inputs_.spec;
    const std::size_t row = start + sequence_;
    if (spec.bits > 0) bits_ = inputs_.data.bits[row];
    if (spec.tokens > 0) token_ = inputs_.data.tokens[row];
#pragma unroll
    for (int n = 0; n < 2; ++n) {
      const int real = 2 * pair_ + n - spec.tokens - spec.bits;
      if (real >= 0 && real < spec.reals) reals_[n] = inputs_.data.reals[row * spec.reals + real];
    }
  }

  /// Writes the inputs of the last load() into the tile.
  __device__ void put() const {
    if (threadIdx.x >= 8 * N) return;
    const std::uint32_t on =
        bits_ << inputs_.spec.tokens | (token_ == kNoToken ? 0u : 1u << token_);
    const auto value = [&](int n) { return on >> (2 * pair_ + n) & 1u ? 1.0f : reals_[n]; };
    *to_ = two_halves(value(0), value(1));
  }

 private:
  const FewInputs& inputs_;
  int pair_ = static_cast<int>(threadIdx.x) % 8;  // pair of channels
  int sequence_ = 0;
  int length_ = 0;
  std::uint32_t bits_ = 0;
  int token_ = kNoToken;
  float reals_[2] = {};
  std::uint32_t* to_ = nullptr;
};

}  // namespace gradus::cuda
