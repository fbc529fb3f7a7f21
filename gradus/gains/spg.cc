// SPDX-License-Identifier: Apache-2.0
// Self prediction gain (paper, section 3.1): the drop in loss on a second sample of the same task.
// Unlike prediction gain, which favours noisy gradients, it is unbiased (section 3.3), but its
// variance is higher.
//
//   SPG = L(x', theta) - L(x', theta'),   x' ~ D_k

#include "gradus/gains/gains.h"

namespace gradus {
namespace {

class SelfPredictionGain final : public Gain {
 public:
  std::string_view name() const override { return "spg"; }
  Needs needs() const override { return {.probe = Probe::kSameTask, .probe_after = true}; }
  double progress(const std::string&, const Measurements& m) override {
    return m.probe_before - m.probe_after;
  }
};

}  // namespace

std::unique_ptr<Gain> make_spg() {
  return std::make_unique<SelfPredictionGain>();
}

}  // namespace gradus
