#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gradus/core/learner.h"
#include "gradus/nn/learner_settings.h"

namespace gradus {

/// Operands of the matrix products on a GPU; sums, weights, state and losses are float or wider in
/// both.
enum class Precision {
  kFp16,  ///< half-precision operands
  kFp32,  ///< single-precision operands, without tensor cores
};

/// Names as the settings spell them; the parser throws InputError with the nearest one.
const std::vector<std::string>& device_names();
const std::vector<std::string>& precision_names();
Precision parse_precision(const std::string& name);

/// An LSTM trained on the GPU, the same as CpuLearner up to rounding: the same starting weights,
/// weight noise and saved state. Throws InputError where this build or this machine has no CUDA.
std::unique_ptr<Learner> make_cuda_learner(const NetworkSpec& spec, const LearnerSettings& settings,
                                           Precision precision, std::uint64_t seed);

/// The GPU that make_cuda_learner() would use, or why there is none, for people.
std::string cuda_description();

}  // namespace gradus
