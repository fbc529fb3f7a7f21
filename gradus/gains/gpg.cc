// SPDX-License-Identifier: Apache-2.0
// Gradient prediction gain (paper, section 3.1): first-order approximation of prediction gain for a
// step along the negative gradient. If there is a posterior over weights, the gradient is with
// respect to the parameters of the posterior.
//
//   GPG = |grad L(x, theta)|^2

#include "gradus/gains/gains.h"

namespace gradus {

std::unique_ptr<Gain> make_gpg(const GainSettings&) {
  return measured_gain("gpg", {.gradient_norm = true},
                       [](const Measurements& m) { return m.gradient_norm; });
}

}  // namespace gradus
