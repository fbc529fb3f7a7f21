#pragma once

#include <limits>

#include "gradus/nn/objective.h"
#include "gradus/nn/rmsprop.h"
#include "gradus/nn/spec.h"

namespace gradus {

/// How a network is started and trained, on any back end.
struct LearnerSettings {
  InitialWeights initial;
  ObjectiveSettings objective;
  RmsPropSettings optimiser;
  /// Backward passes clamp the derivative of each sequence's summed loss by every gate input (z of
  /// lstm.h) to +-this, and what is clamped flows on (Graves 2013, arXiv 1308.0850); 0 for no
  /// limit.
  double derivative_limit = 10;
  int threads = 1;  ///< of the processor; a GPU ignores it

  /// The limit as a bound: infinity if there is none.
  double largest_derivative() const {
    return derivative_limit > 0 ? derivative_limit : std::numeric_limits<double>::infinity();
  }
};

}  // namespace gradus
