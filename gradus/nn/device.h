// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gradus/core/learner.h"
#include "gradus/nn/learner_settings.h"

namespace gradus {

/// Number type of the matrix products' operands on a GPU. With either, sums, weights, state and
/// losses are float or wider.
enum class Precision {
  kFp16,  ///< half-precision operands
  kFp32,  ///< single-precision operands, without tensor cores
};

/// Names as spelt in settings. parse_precision() throws InputError if `name` is unknown and
/// suggests the nearest one.
const std::vector<std::string>& device_names();
const std::vector<std::string>& precision_names();
Precision parse_precision(const std::string& name);

/// An LSTM trained on the GPU. Equals CpuLearner up to rounding: same starting weights, weight
/// noise and saved state. Throws InputError if this build or this machine has no CUDA.
std::unique_ptr<Learner> make_cuda_learner(const NetworkSpec& spec, const LearnerSettings& settings,
                                           Precision precision, std::uint64_t seed);

/// Describes the GPU that make_cuda_learner() would use, or says why there is none. For display.
std::string cuda_description();

}  // namespace gradus
