// SPDX-License-Identifier: Apache-2.0
// Gradient target prediction gain: first-order approximation of tpg for a step along the negative
// gradient, as gpg is of pg. It is the product of two gradients, whatever step the optimiser
// derives from them, so it does not depend on the learning rate.
//
//   GTPG = grad L(x', theta) . grad L(x, theta),   x' ~ D_N

#include "gradus/gains/gains.h"

namespace gradus {
namespace {

class GradientTargetPredictionGain final : public Gain {
 public:
  std::string_view name() const override { return "gtpg"; }
  Needs needs() const override { return {.probe = Probe::kTargetTask, .probe_dot_gradient = true}; }
  double progress(const std::string&, const Measurements& m) override {
    return m.probe_dot_gradient;
  }
};

}  // namespace

std::unique_ptr<Gain> make_gtpg() {
  return std::make_unique<GradientTargetPredictionGain>();
}

}  // namespace gradus
