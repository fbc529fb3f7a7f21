// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace gradus {

struct Setting;  // core/setting.h

/// RMSProp with momentum as in Graves 2013 (arXiv 1308.0850, equations 38 to 45), from which the
/// paper takes its momentum of 0.9 and its learning rates. For each parameter with gradient g:
///
///   n = decay n + (1 - decay) g^2      m = decay m + (1 - decay) g
///   d = momentum d - learning_rate g / sqrt(n - m^2 + epsilon)
///   theta += d
///
/// If `centred` is false, m is left out, as in Hinton's lecture.
struct RmsPropSettings {
  double learning_rate = 1e-5;
  double momentum = 0.9;
  double decay = 0.95;
  double epsilon = 1e-8;  ///< Graves 2013 has 1e-4; docs/algorithm.md compares them
  bool centred = true;
  double clip = 0;  ///< gradients with a larger norm are scaled down to it; 0: no limit
};
std::vector<Setting> settings_of(RmsPropSettings& settings);

}  // namespace gradus
