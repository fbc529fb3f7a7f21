// SPDX-License-Identifier: Apache-2.0
// Gradient target prediction gain: first-order approximation of tpg for a step along the negative
// gradient, as gpg is of pg. It is the product of two gradients, whatever step the optimiser
// derives from them, so it does not depend on the learning rate.
//
//   GTPG = grad L(x', theta) . grad L(x, theta),   x' ~ D_N

#include "gradus/gains/gains.h"

namespace gradus {

std::unique_ptr<Gain> make_gtpg(const GainSettings&) {
  return measured_gain("gtpg", {.probe = Probe::kTargetTask, .probe_dot_gradient = true},
                       [](const Measurements& m) { return m.probe_dot_gradient; });
}

}  // namespace gradus
