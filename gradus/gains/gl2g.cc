// SPDX-License-Identifier: Apache-2.0
// Gradient L2 gain (paper, section 3.2): first-order approximation of the L2 gain for a step along
// the negative gradient of the data loss. The constant factor 2 is dropped, since the reward scale
// removes it anyway.
//
//   GL2G = -theta . grad L(x, theta)        sign "derived"
//   GL2G = +theta . grad L(x, theta)        sign "printed"
//
// As for GVCG, the paper's text implies the minus sign, which its formula omits.

#include "gradus/gains/gains.h"

namespace gradus {

std::unique_ptr<Gain> make_gl2g(const GainSettings& settings) {
  const double factor = settings.sign == Sign::kDerived ? -1 : 1;
  return measured_gain("gl2g", {.weights_dot_gradient = true},
                       [factor](const Measurements& m) { return factor * m.weights_dot_gradient; });
}

}  // namespace gradus
