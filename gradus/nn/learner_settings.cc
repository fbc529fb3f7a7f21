// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/learner_settings.h"

#include "gradus/core/setting.h"

namespace gradus {

std::vector<Setting> settings_of(LearnerSettings& s) {
  std::vector<Setting> all = settings_of(s.initial);
  all.push_back({"network.derivative_limit",
                 "in the backward pass, clamp the derivative of each sequence's loss with respect "
                 "to each gate input to +-this; 0 means no limit",
                 &s.derivative_limit,
                 {0, 1e9}});
  append(all, settings_of(s.optimiser));
  append(all, settings_of(s.objective));
  return all;
}

}  // namespace gradus
