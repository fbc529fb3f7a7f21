#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gradus/core/learner.h"
#include "gradus/nn/learner_settings.h"

namespace gradus {

/// How far a back end may be from the double reference. Errors of arrays are of their lengths,
/// |x - reference| / |reference|.
struct Tolerance {
  double loss;      ///< of a loss, relative
  double gradient;  ///< of gradients, what is measured of them, and the optimiser's means
  double state;     ///< of the optimiser's variances and steps after a few updates
  double gain;      ///< of prediction gains at learning rate 1e-5, root mean square
};

/// A back end that the suite runs over.
struct Backend {
  std::string name;
  bool on_gpu;
  Tolerance tolerance;
  std::unique_ptr<Learner> (*make)(const NetworkSpec&, const LearnerSettings&, std::uint64_t seed);
};

/// The back ends of this build and their tolerances: the one table of them.
const std::vector<Backend>& backends();

/// True where this machine can run it.
bool available(const Backend& backend);

}  // namespace gradus
