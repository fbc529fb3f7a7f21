// SPDX-License-Identifier: Apache-2.0
// Mean prediction gain (paper, section 3.1): the drop in loss on a sample of a task drawn
// uniformly.
//
//   MPG = L(x', theta) - L(x', theta'),   x' ~ D_k, k ~ U_N

#include "gradus/gains/gains.h"

namespace gradus {

std::unique_ptr<Gain> make_mpg(const GainSettings&) {
  return measured_gain("mpg", {.probe = Probe::kRandomTask, .probe_after = true},
                       [](const Measurements& m) { return m.probe_before - m.probe_after; });
}

}  // namespace gradus
