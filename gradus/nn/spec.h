// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gradus/core/batch.h"

namespace gradus {

struct Setting;  // core/setting.h

/// Size of a stacked unidirectional LSTM.
struct NetworkSettings {
  int layers = 1;
  int cells = 512;  ///< H, the same in every layer
};
std::vector<Setting> settings_of(NetworkSettings& settings);

/// A stacked unidirectional LSTM between a curriculum's inputs and outputs.
struct NetworkSpec {
  DataSpec data;
  int layers = NetworkSettings().layers;
  int cells = NetworkSettings().cells;
};

struct InitialWeights {
  double range = 0;
  double forget_bias = 1;  ///< the other biases start at 0
};
std::vector<Setting> settings_of(InitialWeights& settings);

}  // namespace gradus
