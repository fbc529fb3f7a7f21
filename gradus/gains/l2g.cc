// SPDX-License-Identifier: Apache-2.0
// L2 gain (paper, section 3.2): the growth of the squared norm of the weights.
//
//   L2G = |theta'|^2 - |theta|^2

#include "gradus/gains/gains.h"

namespace gradus {
namespace {

class L2Gain final : public Gain {
 public:
  std::string_view name() const override { return "l2g"; }
  Needs needs() const override { return {.weight_norm = true}; }
  double progress(const std::string&, const Measurements& m) override {
    return m.weight_norm_after - m.weight_norm_before;
  }
};

}  // namespace

std::unique_ptr<Gain> make_l2g() {
  return std::make_unique<L2Gain>();
}

}  // namespace gradus
