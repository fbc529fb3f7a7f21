// SPDX-License-Identifier: Apache-2.0
// Held-out prediction gain: self prediction gain with a probe that is never trained on. If the
// training data of a task are few, the network memorises them. spg takes that for progress, but the
// loss on held-out data does not fall.
//
//   HPG = L(x', theta) - L(x', theta'),   x' ~ held-out data of D_k

#include "gradus/gains/gains.h"

namespace gradus {
namespace {

class HeldOutPredictionGain final : public Gain {
 public:
  std::string_view name() const override { return "hpg"; }
  Needs needs() const override { return {.probe = Probe::kHeldOut, .probe_after = true}; }
  double progress(const std::string&, const Measurements& m) override {
    return m.probe_before - m.probe_after;
  }
};

}  // namespace

std::unique_ptr<Gain> make_hpg() {
  return std::make_unique<HeldOutPredictionGain>();
}

}  // namespace gradus
