// SPDX-License-Identifier: Apache-2.0
// gradient (H + 1, O) = scale * hidden^T (H + 1, M) * output gradient (M, O). A block processes 64
// columns of the hidden states and a part of the rows; each of its warps takes every eighth row of
// the part, each lane two columns. The last block to finish a set of columns adds up all its parts,
// in order.

#include "gradus/nn/cuda/block_sum.cuh"
#include "gradus/nn/cuda/few_outputs.h"

namespace gradus::cuda {
namespace {

constexpr int kWarps = 8;
constexpr int kThreads = kWarps * 32;
constexpr int kColumns = 64;
constexpr int kSums = kMostFewOutputs * kColumns;  // sums per block
constexpr int kParts = 16;                         // parts of the rows
constexpr int kRowsAtOnce = 8;                     // per warp, all loaded before any is used

struct Product {
  int rows, outputs, columns;
  float scale;
  Matrix<const __half> hidden, gradient;
  float* parts;       // (slices of columns, kParts, kSums)
  unsigned* arrived;  // (slices of columns)
  float* to;
};

int slices(int columns) {
  return (columns + kColumns - 1) / kColumns;
}

// Two hidden states of a row, and its output gradient, which is the same for all lanes.
struct Row {
  __half2 hidden = __floats2half2_rn(0, 0);
  uint4 low = {0, 0, 0, 0}, high = {0, 0, 0, 0};

  __device__ void load(const Product& product, int row, int column) {
    const std::size_t at = row;
    if (column < product.hidden.leading) {
      hidden = *reinterpret_cast<const __half2*>(product.hidden.data + at * product.hidden.leading +
                                                 column);
    }
    const uint4* words =
        reinterpret_cast<const uint4*>(product.gradient.data + at * product.gradient.leading);
    low = words[0];
    if (product.gradient.leading > 8) high = words[1];
  }
};

__device__ void add(float2 (&sums)[kMostFewOutputs], const Row& row) {
  const float2 hidden = __half22float2(row.hidden);
  const std::uint32_t words[] = {row.low.x,  row.low.y,  row.low.z,  row.low.w,
                                 row.high.x, row.high.y, row.high.z, row.high.w};
#pragma unroll
  for (int o = 0; o < kMostFewOutputs; ++o) {
    const auto bits = static_cast<unsigned short>(words[o / 2] >> o % 2 * 16);
    const float g = __half2float(__ushort_as_half(bits));
    sums[o].x += hidden.x * g;
    sums[o].y += hidden.y * g;
  }
}

__global__ void __launch_bounds__(kThreads) gradient_kernel(Product product) {
  __shared__ float2 of_warps[kWarps][kMostFewOutputs][kColumns / 2];
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % 32;
  const int first_column = static_cast<int>(blockIdx.x) * kColumns;
  const int column = first_column + 2 * lane;
  const int rows_of_part = (product.rows + kParts - 1) / kParts;
  const int first = static_cast<int>(blockIdx.y) * rows_of_part;
  const int end = min(first + rows_of_part, product.rows);

  float2 sums[kMostFewOutputs] = {};
  for (int row = first + thread / 32; row < end; row += kRowsAtOnce * kWarps) {
    Row rows[kRowsAtOnce];
#pragma unroll
    for (int n = 0; n < kRowsAtOnce; ++n) {
      if (row + n * kWarps < end) rows[n].load(product, row + n * kWarps, column);
    }
#pragma unroll
    for (int n = 0; n < kRowsAtOnce; ++n) add(sums, rows[n]);
  }
#pragma unroll
  for (int o = 0; o < kMostFewOutputs; ++o) of_warps[thread / 32][o][lane] = sums[o];
  __syncthreads();

  float* const parts = product.parts + static_cast<std::size_t>(blockIdx.x) * kParts * kSums;
  for (int k = thread; k < kSums; k += kThreads) {
    float sum = 0;
#pragma unroll
    for (int warp = 0; warp < kWarps; ++warp) {
      sum += reinterpret_cast<const float*>(of_warps[warp])[k];
    }
    parts[blockIdx.y * kSums + k] = sum;
  }
  if (!is_last(kParts, product.arrived + blockIdx.x)) return;
  for (int k = thread; k < kSums; k += kThreads) {
    float sum = 0;
#pragma unroll
    for (int part = 0; part < kParts; ++part) sum += __ldcg(parts + part * kSums + k);
    const int output = k / kColumns;
    const int row = first_column + k % kColumns;
    if (output < product.outputs && row < product.columns) {
      product.to[static_cast<std::size_t>(row) * product.outputs + output] = product.scale * sum;
    }
  }
}

}  // namespace

FewOutputsGradient::FewOutputsGradient(int cells, cudaStream_t stream)
    : columns_(cells + 1),
      stream_(stream),
      parts_(static_cast<std::size_t>(slices(columns_)) * kParts * kSums),
      arrived_(make_zeros<unsigned>(slices(columns_), stream)) {}

void FewOutputsGradient::launch(int rows, int outputs, float scale, Matrix<const __half> hidden,
                                Matrix<const __half> gradient, float* to) {
  gradient_kernel<<<dim3(slices(columns_), kParts), kThreads, 0, stream_>>>(
      {rows, outputs, columns_, scale, hidden, gradient, parts_.data(), arrived_.data(), to});
  check_launch("gradient of few outputs");
}

}  // namespace gradus::cuda
