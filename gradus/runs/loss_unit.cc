// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/loss_unit.h"

#include <algorithm>
#include <numbers>
#include <numeric>

namespace gradus {

LossUnit loss_unit(std::span<const std::string> units, std::span<const int> tasks) {
  const bool has_text = std::ranges::any_of(units, [](const auto& unit) { return !unit.empty(); });
  if (!has_text) return {};
  const std::string& first = units[tasks.front()];
  const bool alike = std::ranges::all_of(tasks, [&](int task) { return units[task] == first; });
  return {1 / std::numbers::ln2, "bits per " + (alike && !first.empty() ? first : "output")};
}

LossUnit loss_unit(std::span<const std::string> units) {
  std::vector<int> all(units.size());
  std::iota(all.begin(), all.end(), 0);
  return loss_unit(units, all);
}

LossUnit loss_unit(std::span<const std::string> units, std::optional<int> target) {
  return target ? loss_unit(units, std::span<const int>(&*target, 1)) : loss_unit(units);
}

}  // namespace gradus
