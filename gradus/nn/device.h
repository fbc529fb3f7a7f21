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

/// What the setting "device" says.
struct Device {
  bool is_cuda = false;
  std::vector<int> gpus;  ///< of "cuda:0,2"; empty means all
  /// The device without the numbers of its GPUs, which do not change what a run computes.
  std::string kind() const { return is_cuda ? "cuda" : "cpu"; }
};

/// Names as spelt in settings; those of Precision are in its order.
const std::vector<std::string>& device_names();
const std::vector<std::string>& precision_names();
/// Parses "cpu", "cuda", or "cuda:" and different numbers of GPUs: "cuda:0,2". Throws InputError,
/// suggesting the nearest name, if it is none of these.
Device parse_device(const std::string& name);

/// An LSTM trained on the GPU of settings.place. Equals CpuLearner up to rounding: same starting
/// weights, weight noise and saved state. Any thread may use it, one at a time. Throws InputError
/// if this build has no CUDA.
std::unique_ptr<Learner> make_cuda_learner(const NetworkSpec& spec, const LearnerSettings& settings,
                                           Precision precision, std::uint64_t seed);

}  // namespace gradus
