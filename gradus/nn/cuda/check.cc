#include "gradus/nn/cuda/check.h"

#include <stdexcept>
#include <string>

namespace gradus::cuda {

void check(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  throw std::runtime_error(std::string("CUDA: ") + what + ": " + cudaGetErrorString(result));
}

}  // namespace gradus::cuda
