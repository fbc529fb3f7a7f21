// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/spec.h"

#include "gradus/core/setting.h"

namespace gradus {

std::vector<Setting> settings_of(NetworkSettings& s) {
  return {
      {"network.layers", "LSTM layers", &s.layers, {1, 64}},
      {"network.cells", "cells per layer", &s.cells, {1, 65536}},
  };
}

std::vector<Setting> settings_of(InitialWeights& s) {
  return {
      {"network.initial_range",
       "initial weights are uniform in +-this; 0 means 1/sqrt(cells)",
       &s.range,
       {0, 100}},
      {"network.forget_bias", "initial bias of the forget gates", &s.forget_bias, {-100, 100}},
  };
}

}  // namespace gradus
