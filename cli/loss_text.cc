// SPDX-License-Identifier: Apache-2.0
#include "cli/loss_text.h"

#include <cmath>

#include <fmt/format.h>

namespace gradus::cli {

std::string loss_text(const Metrics& metrics, const LossUnit& unit) {
  const bool target = !std::isnan(metrics.target_loss);
  const double loss = target ? metrics.target_loss : metrics.mean_loss;
  const char* of = target ? "target" : "mean";
  if (std::isnan(loss)) return "";
  if (unit.per_nat == 1) return fmt::format("{} loss {:.4f}", of, loss);
  std::string name = unit.name;
  name.replace(name.find(" per "), 5, "/");
  return fmt::format("{} {:.4f} {}", of, loss * unit.per_nat, name);
}

}  // namespace gradus::cli
