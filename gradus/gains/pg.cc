// SPDX-License-Identifier: Apache-2.0
// Prediction gain (paper, section 3.1): the drop in loss on the sample just trained on.
//
//   PG = L(x, theta) - L(x, theta')

#include "gradus/gains/gains.h"

namespace gradus {
namespace {

class PredictionGain final : public Gain {
 public:
  std::string_view name() const override { return "pg"; }
  Needs needs() const override { return {.loss_before = true, .loss_after = true}; }
  double progress(const std::string&, const Measurements& m) override {
    return m.loss_before - m.loss_after;
  }
};

}  // namespace

std::unique_ptr<Gain> make_pg() {
  return std::make_unique<PredictionGain>();
}

}  // namespace gradus
