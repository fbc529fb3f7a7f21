#include "gradus/nn/cuda/check.h"
#include "gradus/nn/cuda/sweep.h"

namespace gradus::cuda {

int sweep_width(int cells) {
  int device = 0, major = 0, minor = 0;
  check(cudaGetDevice(&device), "querying the current GPU");
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
        "querying the GPU");
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device),
        "querying the GPU");
  if (major != 9 || minor != 0 || cells % 32 != 0) return 0;
  for (const int width : {128, 256, 512}) {
    if (cells <= width) return width;
  }
  return 0;
}

}  // namespace gradus::cuda
