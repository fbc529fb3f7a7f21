// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cuda/block_sum.cuh"
#include "gradus/nn/cuda/check.h"
#include "gradus/nn/cuda/kernels.h"

namespace gradus::cuda {
namespace {

constexpr int kThreads = 1024;

__global__ void squares_kernel(const float* values, std::size_t count, double* total) {
  double sum[1] = {};
  for (std::size_t i = threadIdx.x; i < count; i += kThreads) {
    sum[0] += static_cast<double>(values[i]) * values[i];
  }
  block_sum(sum);
  if (threadIdx.x == 0) *total = sum[0];
}

}  // namespace

void add_squares(const float* values, std::size_t count, double* total, cudaStream_t stream) {
  squares_kernel<<<1, kThreads, 0, stream>>>(values, count, total);
  check_launch("summing squares");
}

}  // namespace gradus::cuda
