// The order in which the threads of a sweep keep weights. A product's left operand comes in tiles
// of 16 rows by 16 k a warp; lane l of the warp holds 8 numbers, in 4 registers r of 2: row
// l / 4 + 8 (r & 1), k = 2 (l % 4) + 8 (r >> 1) and the next. Packed, a lane's 8 are adjacent.

#include <cstdint>

#include "gradus/nn/cuda/sweep.h"
#include "gradus/nn/cuda/sweep_launch.cuh"

namespace gradus::cuda {
namespace {

struct Place {
  int block, warp, tile, row, k;
};

// Where number `n` of 8 of lane `lane` of tile `tile` belongs in the operand.
__device__ Place place_of(int index, int n, int tiles) {
  const int lane = index % 32;
  const int tile = index / 32 % tiles;
  const int warp = index / 32 / tiles % 8;
  const int block = index / 32 / tiles / 8;
  return {block, warp, tile, lane / 4 + (n >> 1 & 1) * 8, lane % 4 * 2 + (n >> 2) * 8 + (n & 1)};
}

__global__ void pack_kernel(int h, const float* recurrent, __half* forward, __half* backward) {
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index >= h * h / 2) return;
  __align__(16) __half values[8];

  const int forward_tiles = h / 16;
  for (int n = 0; n < 8; ++n) {
    const Place p = place_of(index, n, forward_tiles);
    const int row = p.warp * 16 + p.row;  // gate * 32 + cell
    const int column = row / kCellsOfBlock * h + p.block * kCellsOfBlock + row % kCellsOfBlock;
    values[n] =
        __float2half_rn(recurrent[static_cast<std::size_t>(p.tile * 16 + p.k) * 4 * h + column]);
  }
  reinterpret_cast<uint4*>(forward)[index] = *reinterpret_cast<const uint4*>(values);

  const int strips = h / 128;
  for (int n = 0; n < 8; ++n) {
    const Place p = place_of(index, n, strips * 8);
    const int strip = p.warp / 4 * strips + p.tile / 8;
    const int row = strip * 64 + p.warp % 4 * 16 + p.row;
    const int k = p.tile % 8 * 16 + p.k;  // cell * 4 + gate
    const int column = k % 4 * h + p.block * kCellsOfBlock + k / 4;
    values[n] = __float2half_rn(recurrent[static_cast<std::size_t>(row) * 4 * h + column]);
  }
  reinterpret_cast<uint4*>(backward)[index] = *reinterpret_cast<const uint4*>(values);
}

}  // namespace

bool sweeps_fit(int cells) {
  if (cells != 128 && cells != 256 && cells != 512) return false;
  int device = 0, major = 0, minor = 0;
  check(cudaGetDevice(&device), "finding the GPU in use");
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
        "asking the GPU");
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device),
        "asking the GPU");
  return major == 9 && minor == 0;
}

void pack_sweep_weights(int cells, const float* recurrent, __half* forward, __half* backward,
                        cudaStream_t stream) {
  pack_kernel<<<cells * cells / 2 / 256, 256, 0, stream>>>(cells, recurrent, forward, backward);
  check_launch("packing recurrent weights");
}

}  // namespace gradus::cuda
