// SPDX-License-Identifier: Apache-2.0
#include "tests/nn/backends.h"

#include "gradus/nn/cpu/learner.h"
#include "gradus/nn/device.h"
#include "gradus/nn/gpus.h"

namespace gradus {
namespace {

std::unique_ptr<Learner> make_cpu(const NetworkSpec& spec, const LearnerSettings& settings,
                                  std::uint64_t seed) {
  return std::make_unique<CpuLearner<float>>(spec, settings, seed);
}

template <Precision kPrecision>
std::unique_ptr<Learner> make_gpu(const NetworkSpec& spec, const LearnerSettings& settings,
                                  std::uint64_t seed) {
  return make_cuda_learner(spec, settings, kPrecision, seed);
}

}  // namespace

// Rounding has a relative error of at most 6e-8 in float and 5e-4 in half, and errors accumulate
// over time steps and layers. A gradient with half operands is a sum of products, each off by about
// 3e-4 in a random direction. So the sum is off by as much, and by more if its terms cancel.
const std::vector<Backend>& backends() {
  static const std::vector<Backend> table = {
      {"Cpu", false, {.loss = 1e-6, .gradient = 2e-5, .state = 2e-4, .gain = 1e-4}, make_cpu},
      {"CudaFp32",
       true,
       {.loss = 1e-6, .gradient = 2e-5, .state = 2e-4, .gain = 1e-4},
       make_gpu<Precision::kFp32>},
      {"CudaFp16",
       true,
       {.loss = 5e-4, .gradient = 5e-3, .state = 3e-2, .gain = 1e-2},
       make_gpu<Precision::kFp16>},
  };
  return table;
}

bool available(const Backend& backend) {
  return !backend.on_gpu || cuda_gpus().problem().empty();
}

}  // namespace gradus
