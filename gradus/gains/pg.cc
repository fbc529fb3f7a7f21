// SPDX-License-Identifier: Apache-2.0
// Prediction gain (paper, section 3.1): the drop in loss on the sample just trained on.
//
//   PG = L(x, theta) - L(x, theta')

#include "gradus/gains/gains.h"

namespace gradus {

std::unique_ptr<Gain> make_pg(const GainSettings&) {
  return measured_gain("pg", {.loss_before = true, .loss_after = true},
                       [](const Measurements& m) { return m.loss_before - m.loss_after; });
}

}  // namespace gradus
