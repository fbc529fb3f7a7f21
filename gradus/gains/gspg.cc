// SPDX-License-Identifier: Apache-2.0
// Gradient self prediction gain: first-order approximation of spg for a step along the negative
// gradient, as gpg is of pg. It is the product of two gradients, whatever step the optimiser
// derives from them, so it does not depend on the learning rate. Its expectation is |E grad L|^2.
// So unlike gpg it is 0 on average if the gradients of a task are pure noise.
//
//   GSPG = grad L(x', theta) . grad L(x, theta),   x' ~ D_k

#include "gradus/gains/gains.h"

namespace gradus {
namespace {

class GradientSelfPredictionGain final : public Gain {
 public:
  std::string_view name() const override { return "gspg"; }
  Needs needs() const override { return {.probe = Probe::kSameTask, .probe_dot_gradient = true}; }
  double progress(const std::string&, const Measurements& m) override {
    return m.probe_dot_gradient;
  }
};

}  // namespace

std::unique_ptr<Gain> make_gspg() {
  return std::make_unique<GradientSelfPredictionGain>();
}

}  // namespace gradus
