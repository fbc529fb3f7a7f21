#pragma once

#include <cstddef>

#include <cuda_runtime.h>

#include "gradus/nn/rmsprop.h"

namespace gradus::cuda {

/// The optimiser's arrays, as in gradus/nn/cpu/rmsprop.h.
struct RmsPropState {
  float* parameters;
  float* variances;
  float* means;
  float* steps;
};

/// One update of `count` parameters by `gradient`, or none where *overflow is not 0. Where the
/// settings clip, `squared_length` holds the squared length of the gradient.
void rmsprop_update(const RmsPropSettings& settings, std::size_t count, const float* gradient,
                    const double* squared_length, const int* overflow, const RmsPropState& state,
                    cudaStream_t stream);

}  // namespace gradus::cuda
