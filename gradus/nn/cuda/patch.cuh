#pragma once

#include <cstdint>

#include <cuda_fp16.h>

#include "gradus/nn/cuda/patch.h"

namespace gradus::cuda {

// A tile of a sweep's left operand is 16 rows by 16 k. Lane l of the warp that multiplies it holds
// 8 numbers, in 4 registers r of 2: row l / 4 + 8 (r & 1), k = 2 (l % 4) + 8 (r >> 1) and the next.
// Packed, a lane's 8 are adjacent.
constexpr int kPackedTile = 32 * 8;

/// The number of weight k of a patch.
template <typename Operand>
__device__ inline std::size_t weight_number(const Patch<Operand>& patch, int k) {
  return patch.first + (patch.cells == 0 ? k : k / 32 * patch.cells + k % 32);
}

/// The weights of a patch on their way into their forms. Sweeps' have 128 in a row, whose padding
/// puts what the lanes of a warp take together into different banks.
template <typename Operand>
class PatchForms {
 public:
  __device__ void put(int k, float weight) {
    weights_[k / 128 * kStride + k % 128] = static_cast<Operand>(weight);
  }

  /// Stores what all threads have put. REQUIRES kPatchThreads threads.
  __device__ void store(const Patch<Operand>& patch) const {
    __syncthreads();
    if (patch.matrix) store_matrix(patch);
    if constexpr (sizeof(Operand) == 2) {
      if (patch.forward) store_for_sweeps(patch);
    }
  }

 private:
  static constexpr int kStride = 128 + 8;

  __device__ Operand weight(int row, int column) const { return weights_[row * kStride + column]; }

  __device__ void store_matrix(const Patch<Operand>& patch) const {
    for (int k = static_cast<int>(threadIdx.x); k < patch.size; k += kPatchThreads) {
      const int at = patch.at + k;
      const std::size_t row = at / patch.columns;
      patch.matrix[row * patch.leading + at % patch.columns] = weight(k / 128, k % 128);
    }
  }

  // Forward, operand rows are gate * 32 + cell, 16 a warp, and k the matrix's rows. Backward, rows
  // are the matrix's and k = cell * 4 + gate, 16 a tile. So a patch is 8 tiles of either.
  __device__ void store_for_sweeps(const Patch<Operand>& patch) const {
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
      Operand* to = forward ? patch.forward + tile * (patch.cells / 16) * kPackedTile
                            : patch.backward + tile % 8 * kPackedTile;
      reinterpret_cast<uint4*>(to)[lane] = *reinterpret_cast<const uint4*>(values);
    }
  }

  Operand weights_[kPatch / 128 * kStride];
};

}  // namespace gradus::cuda
