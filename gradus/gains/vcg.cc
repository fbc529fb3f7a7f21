// SPDX-License-Identifier: Apache-2.0
// Variational complexity gain (paper, section 3.2): the growth of the KL divergence of the
// posterior from the prior over one update of both.
//
//   VCG = KL(P_phi' | Q_psi') - KL(P_phi | Q_psi)

#include "gradus/gains/gains.h"

namespace gradus {

std::unique_ptr<Gain> make_vcg(const GainSettings&) {
  return measured_gain("vcg", {.kl = true},
                       [](const Measurements& m) { return m.kl_after - m.kl_before; });
}

}  // namespace gradus
