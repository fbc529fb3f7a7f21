// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gradus/nn/rmsprop.h"

namespace gradus::cuda {

/// The optimiser's arrays (Q) in GPU memory, as in gradus/nn/cpu/rmsprop.h.
struct RmsPropState {
  float* parameters;
  float* variances;
  float* means;
  float* steps;
};

}  // namespace gradus::cuda
