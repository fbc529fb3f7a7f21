// SPDX-License-Identifier: Apache-2.0
// L2 gain (paper, section 3.2): the growth of the squared norm of the weights.
//
//   L2G = |theta'|^2 - |theta|^2

#include "gradus/gains/gains.h"

namespace gradus {

std::unique_ptr<Gain> make_l2g(const GainSettings&) {
  return measured_gain("l2g", {.weight_norm = true}, [](const Measurements& m) {
    return m.weight_norm_after - m.weight_norm_before;
  });
}

}  // namespace gradus
