// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/gpus.h"

#include "gradus/nn/cuda/check.h"
#include "gradus/nn/cuda/pinned_learner.h"

namespace gradus {
namespace cuda {
namespace {

Gpu describe(int number) {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, number), "querying a GPU");
  Gpu gpu;
  gpu.description = std::string(properties.name) + ", " +
                    std::to_string(properties.multiProcessorCount) + " multiprocessors, " +
                    std::to_string(properties.totalGlobalMem >> 30) + " GiB";
  if (properties.major < 8) gpu.problem = "it is older than compute capability 8.0 (Ampere)";
  int mode = 0;
  check(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, number), "querying a GPU");
  if (mode == cudaComputeModeProhibited) gpu.problem = "its compute mode prohibits CUDA";
  return gpu;
}

class CudaGpus final : public Gpus {
 public:
  std::string problem() const override {
    int count = 0;
    const cudaError_t result = cudaGetDeviceCount(&count);
    if (result == cudaSuccess && count > 0) return "";
    return std::string("this machine has no usable GPU: ") +
           (result == cudaSuccess ? "there is none" : cudaGetErrorString(result));
  }

  std::vector<Gpu> list() const override {
    int count = 0;
    check(cudaGetDeviceCount(&count), "counting the GPUs");
    std::vector<Gpu> gpus;
    for (int number = 0; number < count; ++number) gpus.push_back(describe(number));
    return gpus;
  }

  std::uint64_t free_memory(int gpu) const override {
    use_gpu(gpu);
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "querying the memory of a GPU");
    return free;
  }
};

}  // namespace
}  // namespace cuda

const Gpus& cuda_gpus() {
  static const cuda::CudaGpus gpus;
  return gpus;
}

}  // namespace gradus
