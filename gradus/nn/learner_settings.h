#pragma once

#include "gradus/nn/objective.h"
#include "gradus/nn/rmsprop.h"
#include "gradus/nn/spec.h"

namespace gradus {

/// How a network is started and trained, on any back end.
struct LearnerSettings {
  InitialWeights initial;
  ObjectiveSettings objective;
  RmsPropSettings optimiser;
  int threads = 1;  ///< of the processor; a GPU ignores it
};

}  // namespace gradus
