// SPDX-License-Identifier: Apache-2.0
// Self prediction gain (paper, section 3.1): the drop in loss on a second sample of the same task.
// Unlike prediction gain, which favours noisy gradients, it is unbiased (section 3.3), but its
// variance is higher.
//
//   SPG = L(x', theta) - L(x', theta'),   x' ~ D_k

#include "gradus/gains/gains.h"

namespace gradus {

std::unique_ptr<Gain> make_spg(const GainSettings&) {
  return measured_gain("spg", {.probe = Probe::kSameTask, .probe_after = true},
                       [](const Measurements& m) { return m.probe_before - m.probe_after; });
}

}  // namespace gradus
