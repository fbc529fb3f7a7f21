// SPDX-License-Identifier: Apache-2.0
// Mean prediction gain (paper, section 3.1): the drop in loss on a sample of a task drawn
// uniformly.
//
//   MPG = L(x', theta) - L(x', theta'),   x' ~ D_k, k ~ U_N

#include "gradus/gains/gains.h"

namespace gradus {
namespace {

class MeanPredictionGain final : public Gain {
 public:
  std::string_view name() const override { return "mpg"; }
  Needs needs() const override { return {.probe = Probe::kRandomTask, .probe_after = true}; }
  double progress(const std::string&, const Measurements& m) override {
    return m.probe_before - m.probe_after;
  }
};

}  // namespace

std::unique_ptr<Gain> make_mpg() {
  return std::make_unique<MeanPredictionGain>();
}

}  // namespace gradus
