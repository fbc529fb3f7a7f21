// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gradus/nn/cuda/check.h"
#include "gradus/nn/cuda/time_loop.h"

namespace gradus::cuda {
namespace {

int attribute(cudaDeviceAttr name) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device), "querying the current GPU");
  check(cudaDeviceGetAttribute(&value, name, device), "querying the GPU");
  return value;
}

}  // namespace

int clusters_at_once(int cells) {
  const int active = std::min(forward_clusters(cells), backward_clusters(cells));
  return std::min(active, attribute(cudaDevAttrMultiProcessorCount) / (cells / 32));
}

int time_loop_width(int cells) {
  if (attribute(cudaDevAttrComputeCapabilityMajor) != 9 ||
      attribute(cudaDevAttrComputeCapabilityMinor) != 0 || cells % 32 != 0) {
    return 0;
  }
  for (const int width : {128, 256, 512}) {
    if (cells <= width) return clusters_at_once(width) > 0 ? width : 0;
  }
  return 0;
}

}  // namespace gradus::cuda
