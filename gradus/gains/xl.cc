// SPDX-License-Identifier: Apache-2.0
// Excess loss: how far the loss of a task is above the smallest that any network can reach. Without
// the floor, noise keeps the largest loss for ever. DoReMi (Xie et al. 2023, arXiv 2305.10429) and
// RHO-LOSS (Mindermann et al. 2022, arXiv 2206.07137) follow the excess over the loss of a trained
// model.
//
//   XL = L(x, theta) - f_k n,   n = scored outputs per sequence, f_k = smallest loss per output

#include "gradus/core/error.h"
#include "gradus/gains/gains.h"

namespace gradus {
namespace {

class ExcessLoss final : public Gain {
 public:
  explicit ExcessLoss(std::map<std::string, double> floors) : floors_(std::move(floors)) {}
  std::string_view name() const override { return "xl"; }
  Needs needs() const override { return {.loss_before = true}; }
  double progress(const std::string& task, const Measurements& m) override {
    const auto floor = floors_.find(task);
    if (floor == floors_.end()) throw InputError("gain xl has no floor for task \"" + task + '"');
    return m.loss_before - floor->second * m.outputs;
  }

 private:
  std::map<std::string, double> floors_;
};

}  // namespace

std::unique_ptr<Gain> make_xl(const GainSettings& settings) {
  return std::make_unique<ExcessLoss>(settings.floors);
}

}  // namespace gradus
