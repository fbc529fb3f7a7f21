#include "gradus/nn/cuda/check.h"

#include <stdexcept>
#include <string>

namespace gradus::cuda {

void check(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  throw std::runtime_error(std::string("CUDA: ") + what + ": " + cudaGetErrorString(result));
}

void check(cublasStatus_t result, const char* what) {
  if (result == CUBLAS_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string("cuBLAS: ") + what + ": " + cublasGetStatusString(result));
}

}  // namespace gradus::cuda
