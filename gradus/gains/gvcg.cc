// SPDX-License-Identifier: Apache-2.0
// Gradient variational complexity gain (paper, section 3.2): first-order approximation of
// variational complexity gain for a step along the negative gradient of the data loss. Gradients
// are with respect to phi and psi.
//
//   GVCG = -grad KL(P_phi | Q_psi) . grad L        sign "derived"
//   GVCG = +grad KL(P_phi | Q_psi) . grad L        sign "printed"
//
// The paper derives VCG ~ C - grad KL . grad L but prints the gain without the minus sign. With the
// derived sign a larger gain means growing complexity, as the text says it should.

#include "gradus/gains/gains.h"

namespace gradus {

std::unique_ptr<Gain> make_gvcg(const GainSettings& settings) {
  const double factor = settings.sign == Sign::kDerived ? -1 : 1;
  return measured_gain("gvcg", {.kl_dot_gradient = true},
                       [factor](const Measurements& m) { return factor * m.kl_dot_gradient; });
}

}  // namespace gradus
