// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/explosion.h"

#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

namespace gradus {
namespace {

constexpr double kMost = 100;

// In nats per output.
double loss_of_guessing(const OutputSpec& output) {
  return output.kind == OutputKind::kSoftmax ? std::log(output.width)
                                             : output.width * std::numbers::ln2;
}

}  // namespace

std::string explosion(const Metrics& metrics, const OutputSpec& output) {
  const double guessing = loss_of_guessing(output);
  // Before the first batch there is no training loss. The others may not have been evaluated.
  const bool trained = metrics.rounds > 0;
  for (const auto& [name, loss, may_be_nan] :
       {std::tuple{"training", metrics.training_loss, !trained},
        std::tuple{"target", metrics.target_loss, true},
        std::tuple{"mean", metrics.mean_loss, true}}) {
    const bool sane = std::isnan(loss) ? may_be_nan : loss <= kMost * guessing;
    if (sane) continue;
    return fmt::format(
        "training has exploded: the {} loss is {:.3g} nats per output, while guessing gives "
        "{:.3g}; "
        "lower optimiser.learning_rate, or limit gradients with optimiser.clip",
        name, loss, guessing);
  }
  return "";
}

}  // namespace gradus
