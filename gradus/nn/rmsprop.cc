// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/rmsprop.h"

#include "gradus/core/setting.h"

namespace gradus {

std::vector<Setting> settings_of(RmsPropSettings& s) {
  return {
      {"optimiser.learning_rate", "step size of RMSProp", &s.learning_rate, {0, 10}},
      {"optimiser.momentum",
       "fraction of the previous step that is added to the next one",
       &s.momentum,
       {.low = 0, .high = 1, .below = true}},
      {"optimiser.decay",
       "decay of the running mean and mean square of the gradient",
       &s.decay,
       {0, 1}},
      {"optimiser.epsilon",
       "constant added under the square root",
       &s.epsilon,
       {.low = 0, .high = 1, .above = true}},
      {"optimiser.centred",
       "divide by the standard deviation of the gradient, not by its root mean square", &s.centred},
      {"optimiser.clip", "maximum norm of the gradient; 0 means no limit", &s.clip, {0, 1e9}},
  };
}

}  // namespace gradus
