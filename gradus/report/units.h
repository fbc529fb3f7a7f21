// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gradus/report/measures.h"
#include "gradus/runs/loss_unit.h"
#include "gradus/runs/run_record.h"

namespace gradus::report {

/// The unit of each task, in runs of the same tasks; "output" if the runs differ in it.
std::vector<std::string> common_units(std::span<const RunRecord> runs);

/// Converts the losses of a run from nats to `unit`.
void convert_losses(RunRecord& run, const LossUnit& unit);

/// The measure with the unit and label in which its losses are shown.
Measure shown(Measure measure, std::span<const std::string> units, std::optional<int> target);

}  // namespace gradus::report
