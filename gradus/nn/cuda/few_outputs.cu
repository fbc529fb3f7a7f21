// SPDX-License-Identifier: Apache-2.0
// A block processes 16 rows, the height of a product tile, and has one warp per row:
//
//   logits = hidden W                each warp multiplies 32 cells (or 64, ...); the warps' parts
//                                    are added in warp order
//   losses and their gradients       one warp per row
//   hidden gradient = gradient W^T   each warp computes 8 cells (or 16, ...)

#include "gradus/nn/cuda/few_outputs.h"
#include "gradus/nn/cuda/operands.cuh"
#include "gradus/nn/cuda/score.cuh"

namespace gradus::cuda {
namespace {

constexpr int kTile = kMostFewOutputs;
constexpr int kWarps = kTile;

// Position of a lane in a product tile.
struct Lane {
  int group = static_cast<int>(threadIdx.x) % 32 / 4;
  int pair = static_cast<int>(threadIdx.x) % 4 * 2;
};

// Adds the contribution of cells [k, k + 32) to the logits of 16 rows from `first` on. The order of
// cells within a product does not matter as long as both operands agree, so each lane takes 8
// adjacent cells.
__device__ void add_logits(const FewOutputs& layer, int first, int k, float (&sums)[2][4]) {
  const Lane lane;
  const int cell = k + 4 * lane.pair;
  const auto cells_of = [&](int row) {
    if (row >= layer.rows) return uint4{0, 0, 0, 0};
    return *reinterpret_cast<const uint4*>(
        layer.hidden.data + static_cast<std::size_t>(row) * layer.hidden.leading + cell);
  };
  const uint4 low = cells_of(first + lane.group);
  const uint4 high = cells_of(first + lane.group + 8);
  const std::uint32_t a[2][4] = {{low.x, high.x, low.y, high.y}, {low.z, high.z, low.w, high.w}};
  const int leading = layer.weights.leading;
#pragma unroll
  for (int tile = 0; tile < 2; ++tile) {
    if (8 * tile >= leading) break;
#pragma unroll
    for (int side = 0; side < 2; ++side) {
      const __half* w = layer.weights.data + (cell + 4 * side) * leading + 8 * tile + lane.group;
      const std::uint32_t b[2] = {two_halves(w[0], w[leading]),
                                  two_halves(w[2 * leading], w[3 * leading])};
      add_product(sums[tile], a[side], b);
    }
  }
}

// Computes d loss / d h of 16 rows from `first` on, from the gradients of their logits.
__device__ void store_hidden_gradient(const FewOutputs& layer, int first,
                                      const __half (&gradients)[kTile][kTile]) {
  const Lane lane;
  const __half* upper = gradients[lane.group] + lane.pair;
  const __half* lower = gradients[lane.group + 8] + lane.pair;
  const std::uint32_t a[4] = {two_halves(upper), two_halves(lower), two_halves(upper + 8),
                              two_halves(lower + 8)};
  const int leading = layer.weights.leading;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  for (int cell = warp * 8; cell < layer.cells; cell += kWarps * 8) {
    const __half* w = layer.weights.data + (cell + lane.group) * leading + lane.pair;
    const std::uint32_t b[2] = {two_halves(w), leading > 8 ? two_halves(w + 8) : 0};
    float sums[4] = {};
    add_product(sums, a, b);
    const auto store = [&](int row, float left, float right) {
      if (row >= layer.rows) return;
      float* to = layer.hidden_gradient + static_cast<std::size_t>(row) * layer.cells + cell;
      *reinterpret_cast<float2*>(to + lane.pair) = {left, right};
    };
    store(first + lane.group, sums[0], sums[1]);
    store(first + lane.group + 8, sums[2], sums[3]);
  }
}

__global__ void __launch_bounds__(kWarps * 32) few_outputs_kernel(FewOutputs layer) {
  __shared__ float parts[kWarps][kTile][kTile];
  __shared__ float logits[kTile][kTile];
  __shared__ __align__(4) __half gradients[kTile][kTile];
  const int first = static_cast<int>(blockIdx.x) * kTile;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int column = static_cast<int>(threadIdx.x) % 32;

  float sums[2][4] = {};
  for (int k = warp * 32; k < layer.cells; k += kWarps * 32) add_logits(layer, first, k, sums);
  const Lane lane;
#pragma unroll
  for (int tile = 0; tile < 2; ++tile) {
    float* to = &parts[warp][lane.group][8 * tile + lane.pair];
    to[0] = sums[tile][0];
    to[1] = sums[tile][1];
    to[8 * kTile] = sums[tile][2];
    to[8 * kTile + 1] = sums[tile][3];
  }
  __syncthreads();

  const int row = first + warp;
  if (column < kTile) {
    float sum = 0;
#pragma unroll
    for (int part = 0; part < kWarps; ++part) sum += parts[part][warp][column];
    logits[warp][column] = sum;
  }
  __syncwarp();
  const bool keep = layer.gradient.data != nullptr;
  double loss = 0;
  if (row < layer.rows) {
    loss = score_row(layer.spec, layer.data, row, logits[warp], layer.bias, layer.scale,
                     keep ? gradients[warp] : nullptr, kTile, layer.wrong);
  }
  __syncthreads();
  if (keep) {
    const int leading = layer.gradient.leading;
    if (row < layer.rows && column < leading) {
      layer.gradient.data[static_cast<std::size_t>(row) * leading + column] =
          gradients[warp][column];
    }
    store_hidden_gradient(layer, first, gradients);
  }
  add_losses(loss, layer.losses);
}

}  // namespace

void score_few_outputs(const FewOutputs& layer, cudaStream_t stream) {
  few_outputs_kernel<<<(layer.rows + kTile - 1) / kTile, kWarps * 32, 0, stream>>>(layer);
  check_launch("scoring few outputs");
}

}  // namespace gradus::cuda
