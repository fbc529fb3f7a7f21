// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include <cuda_runtime.h>

namespace gradus::cuda {

/// Throws std::runtime_error with the current GPU, `what` and CUDA's reason if the call failed.
inline void check(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  int gpu = 0;
  static_cast<void>(cudaGetDevice(&gpu));  // it is 0 if no GPU can be used
  throw std::runtime_error("CUDA: GPU " + std::to_string(gpu) + ": " + what + ": " +
                           cudaGetErrorString(result));
}

/// Throws if the last kernel launch was refused.
inline void check_launch(const char* kernel) {
  check(cudaGetLastError(), kernel);
}

}  // namespace gradus::cuda
