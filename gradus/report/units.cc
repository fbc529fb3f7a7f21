// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/units.h"

namespace gradus::report {

std::vector<std::string> common_units(std::span<const RunRecord> runs) {
  std::vector<std::string> units = runs.front().units;
  for (const RunRecord& run : runs) {
    for (std::size_t task = 0; task < units.size(); ++task) {
      if (task < run.units.size() && run.units[task] != units[task]) units[task] = "output";
    }
  }
  return units;
}

void convert_losses(RunRecord& run, const LossUnit& unit) {
  for (Metrics& metrics : run.metrics) {
    metrics.target_loss *= unit.per_nat;
    metrics.mean_loss *= unit.per_nat;
    metrics.training_loss *= unit.per_nat;
  }
  const bool by_loss = run.description.measure.empty() || run.description.measure.ends_with("loss");
  if (run.description.solved && by_loss) *run.description.solved *= unit.per_nat;
  for (TaskMetrics& metrics : run.task_metrics) {
    for (double& loss : metrics.loss) loss *= unit.per_nat;
  }
}

Measure shown(Measure measure, std::span<const std::string> units, std::optional<int> target) {
  const std::size_t quantity = measure.name.find("_loss");
  const LossUnit unit = measure.name == "target_loss" ? loss_unit(units, target) : loss_unit(units);
  if (quantity == std::string::npos || unit.per_nat == 1) return measure;
  measure.unit = unit.name;
  measure.label = measure.name.substr(0, quantity) + " loss (" + unit.name + ")";
  return measure;
}

}  // namespace gradus::report
