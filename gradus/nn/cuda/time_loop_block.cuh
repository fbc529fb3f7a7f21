// SPDX-License-Identifier: Apache-2.0
#pragma once

// Common to both time loops: a thread's position, its weights, the barriers between blocks, and
// loops over constants.

#include <utility>

#include "gradus/nn/cuda/cluster.cuh"
#include "gradus/nn/cuda/time_loop_launch.cuh"

namespace gradus::cuda {

/// A thread of a time loop over H cells in groups of N sequences. It computes one cell for N / 8
/// sequences.
template <int H, int N>
struct TimeLoopThread {
  static constexpr int kBlocks = H / kCellsOfBlock;  ///< blocks per cluster
  static constexpr int kColumns = N / 8;

  int lane = static_cast<int>(threadIdx.x) % 32;
  int warp = static_cast<int>(threadIdx.x) / 32;
  int rank = static_cast<int>(cluster_rank());
  int cell = rank * kCellsOfBlock + lane;
  int first_column = warp * kColumns;  ///< of the group's N, if the thread's are consecutive
  int group = static_cast<int>(blockIdx.x) / kBlocks * N;
  int first_sequence = group + first_column;

  /// Loads the thread's part of `kTiles` tiles of its warp's weights, packed as described in
  /// patch.cuh: weights[k] receives tile order(k).
  template <int kTiles, typename Order>
  __device__ void load_weights(const __half* packed, std::uint32_t (&weights)[kTiles][4],
                               Order order) const {
    const uint4* from = reinterpret_cast<const uint4*>(packed) + (rank * 8 + warp) * kTiles * 32;
#pragma unroll
    for (int k = 0; k < kTiles; ++k) {
      const uint4 tile = from[order(k) * 32 + lane];
      weights[k][0] = tile.x;
      weights[k][1] = tile.y;
      weights[k][2] = tile.z;
      weights[k][3] = tile.w;
    }
  }
};

/// Two barriers of a block that alternate: barrier turn % 2 counts the bytes that the cluster's
/// blocks send in that turn.
class TurnBarriers {
 public:
  /// The barriers count `bytes` per turn.
  __device__ TurnBarriers(std::uint64_t (&barriers)[2], int bytes)
      : address_(shared_address(barriers)), bytes_(bytes) {}

  /// REQUIRES that all threads of all blocks of the cluster call it before any block sends.
  __device__ void init() const {
    if (threadIdx.x == 0) {
      for (int b = 0; b < 2; ++b) barrier_init(of(b));
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int b = 0; b < 2; ++b) barrier_expect(of(b), bytes_);
    }
  }

  __device__ std::uint32_t of(int turn) const { return address_ + 8 * (turn & 1); }

  /// Waits until all bytes of a turn have arrived; they are then visible to the caller. Also
  /// prepares the barrier for turn + 2.
  __device__ void wait(int turn) const {
    barrier_wait(of(turn), turn >> 1 & 1);
    if (threadIdx.x == 0) barrier_expect(of(turn), bytes_);
  }

 private:
  std::uint32_t address_;
  int bytes_;
};

/// Calls body(0), ..., body(kCount - 1), with the arguments as compile-time constants.
template <int kCount, typename Body>
__device__ inline void for_constants(Body body) {
  [&]<int... k>(std::integer_sequence<int, k...>) {
    (body(std::integral_constant<int, k>()), ...);
  }
  (std::make_integer_sequence<int, kCount>());
}

}  // namespace gradus::cuda
