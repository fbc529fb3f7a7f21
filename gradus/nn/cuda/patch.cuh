// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_fp16.h>

#include "gradus/nn/cuda/numbers.cuh"
#include "gradus/nn/cuda/patch.h"

namespace gradus::cuda {

// A tile of a time loop's left operand is 16 rows by 16 k. Lane l of the warp that multiplies it
// holds 8 numbers, two in each of 4 registers r: row l / 4 + 8 (r & 1), and k = 2 (l % 4) + 8 (r >>
// 1) and the next k. In packed form a lane's 8 numbers are adjacent.
constexpr int kPackedTile = 32 * 8;

/// Offset of weight k of a patch from patch.first.
template <typename Operand>
__device__ inline int weight_place(const Patch<Operand>& patch, int k) {
  if (patch.forward) return k / 32 * patch.stride + k % 32;
  const int at = patch.at + k;
  return at / patch.stretch * patch.stride + at % patch.stretch;
}

/// Index of weight k of a patch.
template <typename Operand>
__device__ inline std::size_t weight_number(const Patch<Operand>& patch, int k) {
  return patch.first + weight_place(patch, k);
}

/// Index of the noise of weight k of a patch: the weight's index without padding.
template <typename Operand>
__device__ inline std::size_t noise_number(const Patch<Operand>& patch, int k) {
  return patch.noise + (patch.forward ? k / 32 * patch.noise_stride + k % 32 : k);
}

/// Calls body<kCount>(k) for all weights of a patch, spread over the threads of a block: with
/// kCount = 4 for each four weights if patch.in_fours, else with kCount = 1 for each weight.
/// REQUIRES kPatchThreads threads.
template <typename Operand, typename Body>
__device__ inline void for_stretches(const Patch<Operand>& patch, Body body) {
  const auto for_stretches_of = [&]<int kCount>() {
    for (int k = static_cast<int>(threadIdx.x) * kCount; k < patch.size;
         k += kPatchThreads * kCount) {
      body.template operator()<kCount>(k);
    }
  };
  if (patch.in_fours) {
    for_stretches_of.template operator()<4>();
  } else {
    for_stretches_of.template operator()<1>();
  }
}

/// Collects the weights of a patch in shared memory and writes them to their forms. A patch for
/// time loops has 128 weights per row; the rows are padded so that the lanes of a warp read from
/// different banks.
template <typename Operand>
class PatchForms {
 public:
  template <int kCount>
  __device__ void put(int k, const Numbers<kCount>& weights) {
    Group<kCount> group;
#pragma unroll
    for (int n = 0; n < kCount; ++n) group.weights[n] = static_cast<Operand>(weights[n]);
    *reinterpret_cast<Group<kCount>*>(place(k)) = group;
  }

  /// Writes what all threads have put. REQUIRES kPatchThreads threads.
  __device__ void store(const Patch<Operand>& patch) const {
    __syncthreads();
    if (patch.matrix) store_matrix(patch);
    if constexpr (sizeof(Operand) == 2) {
      if (patch.forward) store_for_time_loops(patch);
    }
  }

 private:
  static constexpr int kStride = 128 + 8;

  // Consecutive weights, moved in one access.
  template <int kCount>
  struct __align__(kCount * sizeof(Operand)) Group {
    Operand weights[kCount];
  };

  __device__ Operand* place(int k) {
    return weights_ + k / 128 * kStride + k % 128;
  }
  __device__ Operand weight(int row, int column) const {
    return weights_[row * kStride + column];
  }

  __device__ void store_matrix(const Patch<Operand>& patch) const {
    for (int k = static_cast<int>(threadIdx.x); k < patch.size; k += kPatchThreads) {
      const int place = weight_place(patch, k);
      const std::size_t row = place / patch.columns;
      patch.matrix[row * patch.leading + place % patch.columns] = weight(k / 128, k % 128);
    }
  }

  // Forward: operand rows are gate * 32 + cell, 16 per warp; k is the matrix's row. Backward:
  // operand rows are the matrix's rows; k = cell * 4 + gate, 16 per tile. So a patch is 8 tiles of
  // each operand.
  __device__ void store_for_time_loops(const Patch<Operand>& patch) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    for (int tile = static_cast<int>(threadIdx.x) / 32; tile < 16; tile += kPatchThreads / 32) {
      const int part = tile % 8 * 16;
      const bool forward = tile < 8;
      __align__(16) Operand values[8];
#pragma unroll
      for (int n = 0; n < 8; ++n) {
        const int row = lane / 4 + (n >> 1 & 1) * 8;
        const int k = lane % 4 * 2 + (n >> 2) * 8 + (n & 1);
        values[n] =
            forward ? weight(k, part + row) : weight(row, (part + k) % 4 * 32 + (part + k) / 4);
      }
      Operand* to = forward ? patch.forward + tile * (patch.stride / 16) * kPackedTile
                            : patch.backward + tile % 8 * kPackedTile;
      reinterpret_cast<uint4*>(to)[lane] = *reinterpret_cast<const uint4*>(values);
    }
  }

  __align__(16) Operand weights_[kPatch / 128 * kStride];
};

}  // namespace gradus::cuda
