#pragma once

#include <cuda_runtime.h>

namespace gradus::cuda {

/// Throws std::runtime_error with `what` and CUDA's reason if the call failed.
void check(cudaError_t result, const char* what);

/// Throws if the last kernel launch was refused.
inline void check_launch(const char* kernel) {
  check(cudaGetLastError(), kernel);
}

}  // namespace gradus::cuda
