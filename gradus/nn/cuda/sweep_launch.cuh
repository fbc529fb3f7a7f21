#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>

#include "gradus/nn/cuda/check.h"

namespace gradus::cuda {

constexpr int kSweepThreads = 256;
constexpr int kCellsOfBlock = 32;

/// Allows a kernel `shared_bytes` of dynamic shared memory and clusters of more than 8 blocks.
/// Returns true.
inline bool allow(const void* kernel, int shared_bytes, const char* name) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
        name);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), name);
  return true;
}

/// Launches a sweep over H cells, with one cluster of blocks per group of N sequences.
template <auto kKernel, int kSharedBytes, int H, int N, typename Sweep>
void launch_sweep(const Sweep& sweep, cudaStream_t stream, const char* name) {
  static const bool allowed = allow(reinterpret_cast<const void*>(kKernel), kSharedBytes, name);
  static_cast<void>(allowed);
  constexpr unsigned kBlocks = H / kCellsOfBlock;
  cudaLaunchAttribute cluster;
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {kBlocks, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(kBlocks * ((sweep.rows.sequences + N - 1) / N));
  config.blockDim = dim3(kSweepThreads);
  config.dynamicSmemBytes = kSharedBytes;
  config.stream = stream;
  config.attrs = &cluster;
  config.numAttrs = 1;
  check(cudaLaunchKernelEx(&config, kKernel, sweep), name);
}

/// Calls launch(H, N) with the sizes as compile-time constants.
template <typename Launch>
void with_sizes(int cells, int group, Launch launch) {
  const auto with_cells = [&](auto h) {
    if (group == 8) return launch(h, std::integral_constant<int, 8>());
    if (group == 16) return launch(h, std::integral_constant<int, 16>());
    if (group == 32) return launch(h, std::integral_constant<int, 32>());
    throw std::logic_error("sweep: unsupported group size " + std::to_string(group));
  };
  if (cells == 128) return with_cells(std::integral_constant<int, 128>());
  if (cells == 256) return with_cells(std::integral_constant<int, 256>());
  if (cells == 512) return with_cells(std::integral_constant<int, 512>());
  throw std::logic_error("sweep: unsupported width of " + std::to_string(cells) + " cells");
}

}  // namespace gradus::cuda
