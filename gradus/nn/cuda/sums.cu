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

__global__ void products_kernel(const float* a, const float* b, const float* noise,
                                const float* rho, std::size_t count, double* of_blocks) {
  double sum[1] = {};
  const std::size_t stride = static_cast<std::size_t>(kProductBlocks) * kThreads;
  for (std::size_t i = blockIdx.x * kThreads + threadIdx.x; i < count; i += stride) {
    const double by_rho = noise == nullptr ? 0 : noise[i] / (1 + exp(-static_cast<double>(rho[i])));
    sum[0] += static_cast<double>(a[i]) * b[i] * (1 + by_rho * by_rho);
  }
  block_sum(sum);
  if (threadIdx.x == 0) of_blocks[blockIdx.x] = sum[0];
}

__global__ void total_kernel(const double* of_blocks, double* total) {
  double sum[1] = {of_blocks[threadIdx.x]};
  block_sum(sum);
  if (threadIdx.x == 0) *total = sum[0];
}

}  // namespace

void add_products(const float* a, const float* b, const float* noise, const float* rho,
                  std::size_t count, double* of_blocks, double* total, cudaStream_t stream) {
  products_kernel<<<kProductBlocks, kThreads, 0, stream>>>(a, b, noise, rho, count, of_blocks);
  check_launch("multiplying gradients");
  total_kernel<<<1, kProductBlocks, 0, stream>>>(of_blocks, total);
  check_launch("summing products");
}

void add_squares(const float* values, std::size_t count, double* total, cudaStream_t stream) {
  squares_kernel<<<1, kThreads, 0, stream>>>(values, count, total);
  check_launch("summing squares");
}

}  // namespace gradus::cuda
