#include "gradus/nn/cuda/block_sum.cuh"
#include "gradus/nn/cuda/sums.h"

namespace gradus::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocks = 264;

__global__ void add_up_kernel(const double* values, std::size_t count, double* total) {
  double sum = 0;
  for (std::size_t i = threadIdx.x; i < count; i += blockDim.x) sum += values[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) *total = sum;
}

__global__ void dot_kernel(const float* a, const float* b, std::size_t count, double* partial) {
  double sum = 0;
  for (std::size_t i = blockIdx.x * kThreads + threadIdx.x; i < count; i += kBlocks * kThreads) {
    sum += static_cast<double>(a[i]) * b[i];
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

}  // namespace

void add_up(const double* values, std::size_t count, double* total, cudaStream_t stream) {
  add_up_kernel<<<1, 4 * kThreads, 0, stream>>>(values, count, total);
  check_launch("adding up");
}

DotProducts::DotProducts(cudaStream_t stream) : stream_(stream), partial_(kBlocks) {}

void DotProducts::dot(const float* a, const float* b, std::size_t count, double* total) {
  dot_kernel<<<kBlocks, kThreads, 0, stream_>>>(a, b, count, partial_.data());
  check_launch("dot product");
  add_up(partial_.data(), kBlocks, total, stream_);
}

}  // namespace gradus::cuda
