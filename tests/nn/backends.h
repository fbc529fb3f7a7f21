// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gradus/core/learner.h"
#include "gradus/nn/learner_settings.h"

namespace gradus {

/// Largest allowed errors of a back end against the double reference. Errors of arrays are
/// relative: |x - reference| / |reference|, with norms.
struct Tolerance {
  double loss;      ///< relative error of a loss
  double gradient;  ///< error of gradients, of measurements of them, and of the optimiser's means
  double state;     ///< error of the optimiser's variances and steps after a few updates
  double gain;      ///< root mean square error of prediction gains at learning rate 1e-5
};

/// A back end that the suite tests.
struct Backend {
  std::string name;
  bool on_gpu;
  Tolerance tolerance;
  std::unique_ptr<Learner> (*make)(const NetworkSpec&, const LearnerSettings&, std::uint64_t seed);
};

/// The back ends of this build with their tolerances: the only table of them.
const std::vector<Backend>& backends();

/// True if this machine can run it.
bool available(const Backend& backend);

}  // namespace gradus
