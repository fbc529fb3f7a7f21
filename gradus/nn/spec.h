#pragma once

#include "gradus/core/batch.h"

namespace gradus {

/// A stacked unidirectional LSTM between a curriculum's inputs and outputs.
struct NetworkSpec {
  DataSpec data;
  int layers = 1;
  int cells = 512;  ///< H, the same in every layer
};

struct InitialWeights {
  /// Weights start uniform in +-range; 0 means 1/sqrt(H).
  double range = 0;
  double forget_bias = 1;  ///< the other biases start at 0
};

}  // namespace gradus
