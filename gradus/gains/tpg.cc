// SPDX-License-Identifier: Apache-2.0
// Target prediction gain (paper, section 3.1): the drop in loss on a sample of the target task.
//
//   TPG = L(x', theta) - L(x', theta'),   x' ~ D_N

#include "gradus/gains/gains.h"

namespace gradus {
namespace {

class TargetPredictionGain final : public Gain {
 public:
  std::string_view name() const override { return "tpg"; }
  Needs needs() const override { return {.probe = Probe::kTargetTask, .probe_after = true}; }
  double progress(const std::string&, const Measurements& m) override {
    return m.probe_before - m.probe_after;
  }
};

}  // namespace

std::unique_ptr<Gain> make_tpg() {
  return std::make_unique<TargetPredictionGain>();
}

}  // namespace gradus
