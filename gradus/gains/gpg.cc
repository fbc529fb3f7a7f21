// SPDX-License-Identifier: Apache-2.0
// Gradient prediction gain (paper, section 3.1): first-order approximation of prediction gain for a
// step along the negative gradient. If there is a posterior over weights, the gradient is with
// respect to the parameters of the posterior.
//
//   GPG = |grad L(x, theta)|^2

#include "gradus/gains/gains.h"

namespace gradus {
namespace {

class GradientPredictionGain final : public Gain {
 public:
  std::string_view name() const override { return "gpg"; }
  Needs needs() const override { return {.gradient_norm = true}; }
  double progress(const std::string&, const Measurements& m) override { return m.gradient_norm; }
};

}  // namespace

std::unique_ptr<Gain> make_gpg() {
  return std::make_unique<GradientPredictionGain>();
}

}  // namespace gradus
