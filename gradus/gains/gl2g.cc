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
namespace {

class GradientL2Gain final : public Gain {
 public:
  explicit GradientL2Gain(Sign sign) : factor_(sign == Sign::kDerived ? -1 : 1) {}
  std::string_view name() const override { return "gl2g"; }
  Needs needs() const override { return {.weights_dot_gradient = true}; }
  double progress(const std::string&, const Measurements& m) override {
    return factor_ * m.weights_dot_gradient;
  }

 private:
  double factor_;
};

}  // namespace

std::unique_ptr<Gain> make_gl2g(Sign sign) {
  return std::make_unique<GradientL2Gain>(sign);
}

}  // namespace gradus
