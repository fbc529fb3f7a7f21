// SPDX-License-Identifier: Apache-2.0
// Gradient mean prediction gain: first-order approximation of mpg for a step along the negative
// gradient, as gpg is of pg. It is the product of two gradients, whatever step the optimiser
// derives from them, so it does not depend on the learning rate.
//
//   GMPG = grad L(x', theta) . grad L(x, theta),   x' ~ D_k, k ~ U_N

#include "gradus/gains/gains.h"

namespace gradus {

std::unique_ptr<Gain> make_gmpg(const GainSettings&) {
  return measured_gain("gmpg", {.probe = Probe::kRandomTask, .probe_dot_gradient = true},
                       [](const Measurements& m) { return m.probe_dot_gradient; });
}

}  // namespace gradus
