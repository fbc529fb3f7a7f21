// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gradus {

/// The unit in which losses are shown. Stored losses are in nats per output.
struct LossUnit {
  double per_nat = 1;  ///< a loss in nats times this is the loss in this unit
  std::string name = "nats per output";
};

/// The unit for the loss of `tasks`, for one of them or averaged over them. `units` holds
/// Curriculum::unit() of every task of the run. Nats per output if no task of the run is text.
/// Otherwise bits: per character or per word if all of `tasks` have that unit, else per output.
/// REQUIRES !tasks.empty().
LossUnit loss_unit(std::span<const std::string> units, std::span<const int> tasks);
/// The same for all tasks.
LossUnit loss_unit(std::span<const std::string> units);
/// The unit of the loss shown for a run: that of the target, or the mean over all tasks if there is
/// no target.
LossUnit loss_unit(std::span<const std::string> units, std::optional<int> target);

}  // namespace gradus
