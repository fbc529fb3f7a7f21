#pragma once

namespace gradus::cuda {

// Sums in a fixed order, so that they are the same every time. All take whole warps, at most 32.

/// Replaces each of a thread's values by its sum over the threads of the block.
template <int kCount>
__device__ inline void block_sum(double (&values)[kCount]) {
  __shared__ double of_warp[kCount][32];
  // The last call's sums may still be being read.
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

/// Adds up what blocks [first, last) left in `of_blocks`, for all threads of a block.
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

/// Says to all threads of a block whether it is the last of `blocks` to come here; that one sees
/// what the others have stored before, by __ldcg(). `arrived` is 0 before a launch and after it.
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

/// Leaves a block's sums for the last block to come here, and says to all its threads whether it is
/// that one. `arrived` is as for is_last().
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
