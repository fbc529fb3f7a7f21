// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include <cuda_runtime.h>

namespace gradus::cuda {

/// Throws std::runtime_error with `what` and CUDA's reason if the call failed.
inline void check(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  throw std::runtime_error(std::string("CUDA: ") + what + ": " + cudaGetErrorString(result));
}

/// Throws if the last kernel launch was refused.
inline void check_launch(const char* kernel) {
  check(cudaGetLastError(), kernel);
}

}  // namespace gradus::cuda
