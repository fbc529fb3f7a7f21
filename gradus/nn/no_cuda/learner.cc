// SPDX-License-Identifier: Apache-2.0
// Replaces gradus/nn/cuda if no CUDA toolkit was found.

#include "gradus/core/error.h"
#include "gradus/nn/device.h"

namespace gradus {

std::unique_ptr<Learner> make_cuda_learner(const NetworkSpec&, const LearnerSettings&, Precision,
                                           std::uint64_t) {
  throw InputError(
      "device is \"cuda\", but this build has no CUDA support: no CUDA toolkit (nvcc and cuBLAS) "
      "was found when it was configured; use device \"cpu\"");
}

std::string cuda_description() {
  return "none: built without a CUDA toolkit";
}

}  // namespace gradus
