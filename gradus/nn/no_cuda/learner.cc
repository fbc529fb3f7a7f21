// SPDX-License-Identifier: Apache-2.0
// Replaces gradus/nn/cuda if no CUDA toolkit was found.

#include "gradus/core/error.h"
#include "gradus/nn/device.h"
#include "gradus/nn/gpus.h"

namespace gradus {
namespace {

class NoGpus final : public Gpus {
 public:
  std::string problem() const override {
    return "this build has no CUDA support: no CUDA toolkit (nvcc and cuBLAS) was found when it "
           "was configured";
  }
  std::vector<Gpu> list() const override { return {}; }
  std::uint64_t free_memory(int) const override { return 0; }
};

}  // namespace

const Gpus& cuda_gpus() {
  static const NoGpus none;
  return none;
}

std::unique_ptr<Learner> make_cuda_learner(const NetworkSpec&, const LearnerSettings&, Precision,
                                           std::uint64_t) {
  throw InputError(cuda_gpus().problem());
}

}  // namespace gradus
