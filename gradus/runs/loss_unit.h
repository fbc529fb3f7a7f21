#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gradus {

/// The unit in which losses are shown. Stored ones are in nats per output.
struct LossUnit {
  double per_nat = 1;  ///< times a loss in nats is the loss in this unit
  std::string name = "nats per output";
};

/// The unit for the losses of some tasks of a run, alone or averaged. `units` has
/// Curriculum::unit() of every task of the run. Nats if no task is a text. Otherwise bits: per
/// character or per word if all of `tasks` have that unit, else per output. REQUIRES
/// !tasks.empty().
LossUnit loss_unit(std::span<const std::string> units, std::span<const int> tasks);
/// The same for all tasks.
LossUnit loss_unit(std::span<const std::string> units);
/// For the loss that is shown of a run: the target's, or the mean over all tasks.
LossUnit loss_unit(std::span<const std::string> units, std::optional<int> target);

}  // namespace gradus
