// SPDX-License-Identifier: Apache-2.0
// Held-out prediction gain: self prediction gain with a probe that is never trained on. If the
// training data of a task are few, the network memorises them. spg takes that for progress, but the
// loss on held-out data does not fall.
//
//   HPG = L(x', theta) - L(x', theta'),   x' ~ held-out data of D_k

#include "gradus/gains/gains.h"

namespace gradus {

std::unique_ptr<Gain> make_hpg(const GainSettings&) {
  return measured_gain("hpg", {.probe = Probe::kHeldOut, .probe_after = true},
                       [](const Measurements& m) { return m.probe_before - m.probe_after; });
}

}  // namespace gradus
