// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "gradus/nn/gpu_pool.h"
#include "gradus/nn/objective.h"
#include "gradus/nn/rmsprop.h"
#include "gradus/nn/spec.h"

namespace gradus {

/// How to initialise and train a network, on any back end.
struct LearnerSettings {
  InitialWeights initial;
  ObjectiveSettings objective;
  RmsPropSettings optimiser;
  /// Backward passes clamp the derivative of each sequence's summed loss with respect to every gate
  /// input (z in lstm.h) to +-this, and propagate the clamped value (Graves 2013, arXiv 1308.0850).
  /// 0 means no limit.
  double derivative_limit = 10;
  int threads = 1;  ///< CPU threads; ignored on a GPU
  /// Which GPU to use; ignored on the CPU. Null means GPU 0, which no other network uses.
  std::shared_ptr<const GpuPlace> place;

  /// derivative_limit as a bound: infinity if there is no limit.
  double largest_derivative() const {
    return derivative_limit > 0 ? derivative_limit : std::numeric_limits<double>::infinity();
  }
};
/// All settings but the objective's kind and the number of threads.
std::vector<Setting> settings_of(LearnerSettings& settings);

}  // namespace gradus
