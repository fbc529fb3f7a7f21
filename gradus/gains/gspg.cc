// SPDX-License-Identifier: Apache-2.0
// Gradient self prediction gain: first-order approximation of spg for a step along the negative
// gradient, as gpg is of pg. It is the product of two gradients, whatever step the optimiser
// derives from them, so it does not depend on the learning rate. Its expectation is |E grad L|^2.
// So unlike gpg it is 0 on average if the gradients of a task are pure noise.
//
//   GSPG = grad L(x', theta) . grad L(x, theta),   x' ~ D_k

#include "gradus/gains/gains.h"

namespace gradus {

std::unique_ptr<Gain> make_gspg(const GainSettings&) {
  return measured_gain("gspg", {.probe = Probe::kSameTask, .probe_dot_gradient = true},
                       [](const Measurements& m) { return m.probe_dot_gradient; });
}

}  // namespace gradus
