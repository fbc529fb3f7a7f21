// SPDX-License-Identifier: Apache-2.0
// Absolute loss slope gain: like lsg, but a rising loss counts as much as a falling one, so that
// tasks that the network forgets are trained again (Matiisen et al. 2017, arXiv 1707.00183).
//
//   ALSG = |LSG|

#include <cmath>

#include "gradus/gains/gains.h"
#include "gradus/gains/loss_slopes.h"

namespace gradus {
namespace {

class AbsoluteLossSlopeGain final : public SlopeGain {
 public:
  using SlopeGain::SlopeGain;
  std::string_view name() const override { return "alsg"; }
  Needs needs() const override { return {.loss_before = true}; }
  double progress(const std::string& task, const Measurements& m) override {
    return std::abs(slopes_.add(task, m.loss_before));
  }
};

}  // namespace

std::unique_ptr<Gain> make_alsg(const GainSettings& settings) {
  return std::make_unique<AbsoluteLossSlopeGain>(settings.window, settings.errors);
}

}  // namespace gradus
