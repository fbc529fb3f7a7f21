// SPDX-License-Identifier: Apache-2.0
// Held-out slope gain: like lsg, but with the loss on held-out data of the task. If a data set is
// so small that the network memorises it, the training loss falls but this one does not.
//
//   HSG = -slope of the least-squares line through L(x'_v, theta_v), v = the last W visits,
//         shrunk towards 0 by its standard error (loss_slopes.h),   x' ~ held-out data of D_k

#include "gradus/gains/gains.h"
#include "gradus/gains/loss_slopes.h"

namespace gradus {
namespace {

class HeldOutSlopeGain final : public SlopeGain {
 public:
  using SlopeGain::SlopeGain;
  std::string_view name() const override { return "hsg"; }
  // The line goes through many probes, so each may be small, and costs a twelfth of a training
  // step.
  Needs needs() const override { return {.probe = Probe::kHeldOut, .probe_divisor = 4}; }
  double progress(const std::string& task, const Measurements& m) override {
    return slopes_.add(task, m.probe_before);
  }
};

}  // namespace

std::unique_ptr<Gain> make_hsg(const GainSettings& settings) {
  return std::make_unique<HeldOutSlopeGain>(settings.window, settings.errors);
}

}  // namespace gradus
