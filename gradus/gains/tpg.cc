// SPDX-License-Identifier: Apache-2.0
// Target prediction gain (paper, section 3.1): the drop in loss on a sample of the target task.
//
//   TPG = L(x', theta) - L(x', theta'),   x' ~ D_N

#include "gradus/gains/gains.h"

namespace gradus {

std::unique_ptr<Gain> make_tpg(const GainSettings&) {
  return measured_gain("tpg", {.probe = Probe::kTargetTask, .probe_after = true},
                       [](const Measurements& m) { return m.probe_before - m.probe_after; });
}

}  // namespace gradus
