#include "gradus/nn/cuda/check.h"
#include "gradus/nn/cuda/sweep.h"

namespace gradus::cuda {

bool sweeps_fit(int cells) {
  if (cells != 128 && cells != 256 && cells != 512) return false;
  int device = 0, major = 0, minor = 0;
  check(cudaGetDevice(&device), "finding the GPU in use");
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
        "asking the GPU");
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device),
        "asking the GPU");
  return major == 9 && minor == 0;
}

}  // namespace gradus::cuda
