// SPDX-License-Identifier: Apache-2.0
// Loss slope gain: how fast the loss of a task falls, over the task's own visits. A batch is new
// when it is drawn, so its loss before the update is an honest probe, and it costs nothing. If
// batches repeat, as in a small data set, the loss also falls because the network memorises them.
//
//   LSG = -slope of the least-squares line through L(x_v, theta_v), v = the last W visits,
//         shrunk towards 0 by its standard error (loss_slopes.h)
//
// The slope of a learning curve is the teacher's reward in Teacher-Student Curriculum Learning
// (Matiisen et al. 2017, arXiv 1707.00183, algorithms "online" and "window").

#include "gradus/gains/gains.h"
#include "gradus/gains/loss_slopes.h"

namespace gradus {
namespace {

class LossSlopeGain final : public SlopeGain {
 public:
  using SlopeGain::SlopeGain;
  std::string_view name() const override { return "lsg"; }
  Needs needs() const override { return {.loss_before = true}; }
  double progress(const std::string& task, const Measurements& m) override {
    return slopes_.add(task, m.loss_before);
  }
};

}  // namespace

std::unique_ptr<Gain> make_lsg(const GainSettings& settings) {
  return std::make_unique<LossSlopeGain>(settings.window, settings.errors);
}

}  // namespace gradus
