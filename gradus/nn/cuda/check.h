#pragma once

#include <cuda_runtime.h>

namespace gradus::cuda {

/// Throws std::runtime_error that names `what` and CUDA's reason where a call failed.
void check(cudaError_t result, const char* what);

/// Throws where the launch just made was refused.
inline void check_launch(const char* kernel) {
  check(cudaGetLastError(), kernel);
}

}  // namespace gradus::cuda
