#pragma once

namespace gradus::cuda {

/// The sum of `value` over the threads of a block, at thread 0. REQUIRES whole warps, at most 32.
__device__ inline double block_sum(double value) {
  __shared__ double of_warp[32];
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, offset);
  }
  const unsigned warp = threadIdx.x / 32;
  // The last call's numbers may still be being read.
  __syncthreads();
  if (threadIdx.x % 32 == 0) of_warp[warp] = value;
  __syncthreads();
  double sum = 0;
  if (threadIdx.x == 0) {
    for (unsigned w = 0; w < blockDim.x / 32; ++w) sum += of_warp[w];
  }
  return sum;
}

}  // namespace gradus::cuda
