#pragma once

#include "gradus/nn/cuda/check.h"

namespace gradus::cuda {

constexpr int kSweepThreads = 256;
constexpr int kCellsOfBlock = 32;

/// Lets a kernel have as much shared memory and as large clusters as it needs; once a kernel.
template <typename Sweep>
bool allow(void (*kernel)(Sweep), int shared_bytes, const char* name) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
        name);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), name);
  return true;
}

/// Launches a sweep: a cluster of `blocks` blocks for each of `groups` groups of sequences.
template <typename Sweep>
void launch_sweep(void (*kernel)(Sweep), int blocks, int groups, int shared_bytes,
                  const Sweep& sweep, cudaStream_t stream, const char* name) {
  cudaLaunchAttribute cluster;
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {static_cast<unsigned>(blocks), 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks * groups);
  config.blockDim = dim3(kSweepThreads);
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = &cluster;
  config.numAttrs = 1;
  check(cudaLaunchKernelEx(&config, kernel, sweep), name);
}

}  // namespace gradus::cuda
