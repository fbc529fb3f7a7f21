// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gradus::cuda {

// Sums in a fixed order, so that results are reproducible. REQUIRES blocks of whole warps, at most
// 32.

/// Replaces each of a thread's values by its sum over all threads of the block.
template <int kCount>
__device__ inline void block_sum(double (&values)[kCount]) {
  __shared__ double of_warp[kCount][32];
  // Other threads may still be reading the previous call's sums.
  __syncthreads();
#pragma unroll
  for (int s = 0; s < kCount; ++s) {
    for (int offset = 16; offset > 0; offset /= 2) {
      values[s] += __shfl_down_sync(0xffffffffu, values[s], offset);
    }
    if (threadIdx.x % 32 == 0) of_warp[s][threadIdx.x / 32] = values[s];
  }
  __syncthreads();
  if (threadIdx.x < kCount) {
    double* row = of_warp[threadIdx.x];
    for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) row[0] += row[warp];
  }
  __syncthreads();
#pragma unroll
  for (int s = 0; s < kCount; ++s) values[s] = of_warp[s][0];
}

/// Adds up what blocks [first, last) stored in `of_blocks`. All threads of the block receive the
/// sums.
template <int kCount>
__device__ inline void add_blocks(const double (*of_blocks)[kCount], int first, int last,
                                  double (&sums)[kCount]) {
  for (double& sum : sums) sum = 0;
  for (int k = first + static_cast<int>(threadIdx.x); k < last; k += blockDim.x) {
#pragma unroll
    for (int s = 0; s < kCount; ++s) sums[s] += __ldcg(&of_blocks[k][s]);
  }
  block_sum(sums);
}

/// Returns true, to all threads, in the last of `blocks` blocks that calls it. That block sees what
/// the others stored before their calls if it reads it with __ldcg(). `arrived` must be 0 before a
/// launch and is 0 after it.
__device__ inline bool is_last(unsigned blocks, unsigned* arrived) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicInc(arrived, blocks - 1) == blocks - 1;
    __threadfence();
  }
  __syncthreads();
  return last;
}

/// Stores a block's sums for the last block that calls this. Returns true, to all threads, in that
/// last block. `arrived` is as for is_last().
template <int kCount>
__device__ inline bool leave_sums(double (&sums)[kCount], double (*of_blocks)[kCount],
                                  unsigned* arrived) {
  block_sum(sums);
  if (threadIdx.x == 0) {
#pragma unroll
    for (int s = 0; s < kCount; ++s) of_blocks[blockIdx.x][s] = sums[s];
  }
  return is_last(gridDim.x, arrived);
}

}  // namespace gradus::cuda
