// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "gradus/nn/cuda/check.h"

namespace gradus::cuda {

constexpr int kTimeLoopThreads = 256;
constexpr int kCellsOfBlock = 32;

/// Launch configuration of a time loop over H cells: `clusters` clusters of H / 32 blocks.
template <int H>
class TimeLoopLaunch {
 public:
  TimeLoopLaunch(int clusters, int shared_bytes, cudaStream_t stream) {
    constexpr unsigned kBlocks = H / kCellsOfBlock;
    cluster_.id = cudaLaunchAttributeClusterDimension;
    cluster_.val.clusterDim = {kBlocks, 1, 1};
    config_.gridDim = dim3(kBlocks * clusters);
    config_.blockDim = dim3(kTimeLoopThreads);
    config_.dynamicSmemBytes = shared_bytes;
    config_.stream = stream;
    config_.attrs = &cluster_;
    config_.numAttrs = 1;
  }
  TimeLoopLaunch(const TimeLoopLaunch&) = delete;
  TimeLoopLaunch& operator=(const TimeLoopLaunch&) = delete;

  const cudaLaunchConfig_t& config() const { return config_; }

 private:
  cudaLaunchAttribute cluster_ = {};
  cudaLaunchConfig_t config_ = {};
};

/// Allows a kernel its shared memory and clusters of more than 8 blocks, and returns how many
/// clusters can then be active at once on the GPU; 0 if the kernel does not fit.
template <auto kKernel, int kSharedBytes, int H>
int active_clusters(const char* name) {
  const auto* kernel = reinterpret_cast<const void*>(kKernel);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes),
        name);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), name);
  const TimeLoopLaunch<H> launch(1, kSharedBytes, nullptr);
  int clusters = 0;
  check(cudaOccupancyMaxActiveClusters(&clusters, kernel, &launch.config()), name);
  return clusters;
}

/// Launches a time loop over H cells, with one cluster of blocks per group of N sequences. REQUIRES
/// a previous call of active_clusters().
template <auto kKernel, int kSharedBytes, int H, int N, typename Loop>
void launch_time_loop(const Loop& loop, cudaStream_t stream, const char* name) {
  const TimeLoopLaunch<H> launch((loop.rows.sequences + N - 1) / N, kSharedBytes, stream);
  check(cudaLaunchKernelEx(&launch.config(), kKernel, loop), name);
}

/// Calls launch(H, N) with the sizes as compile-time constants.
template <typename Launch>
void with_sizes(int cells, int group, Launch launch) {
  const auto with_cells = [&](auto h) {
    if (group == 8) return launch(h, std::integral_constant<int, 8>());
    if (group == 16) return launch(h, std::integral_constant<int, 16>());
    if (group == 32) return launch(h, std::integral_constant<int, 32>());
    throw std::logic_error("time loop: unsupported group size " + std::to_string(group));
  };
  if (cells == 128) return with_cells(std::integral_constant<int, 128>());
  if (cells == 256) return with_cells(std::integral_constant<int, 256>());
  if (cells == 512) return with_cells(std::integral_constant<int, 512>());
  throw std::logic_error("time loop: unsupported width of " + std::to_string(cells) + " cells");
}

/// The smallest of active(H, N) over all group sizes N, for H = cells.
template <typename Active>
int fewest_clusters(int cells, Active active) {
  int fewest = 0;
  with_sizes(cells, 8, [&](auto h, auto n) { fewest = active(h, n); });
  for (const int group : {16, 32}) {
    with_sizes(cells, group, [&](auto h, auto n) { fewest = std::min(fewest, active(h, n)); });
  }
  return fewest;
}

}  // namespace gradus::cuda
