// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gradus/runs/checkpoints.h"
#include "gradus/runs/settings.h"

namespace gradus {

/// Checks that a run can go on from `checkpoint`, its newest undamaged one, without losing anything
/// that it has stored. Throws an InputError with advice if all checkpoints are damaged or gone, or
/// if evaluations before the checkpoint are missing in run.db. `damage` names the damaged
/// checkpoints. A run that was never saved may start again.
void check_resumable(const std::filesystem::path& folder, const RunSettings& settings,
                     const std::optional<Checkpoint>& checkpoint,
                     const std::vector<std::string>& damage);

/// The settings of a run that goes on with `changes`, each key=value. Only steps, device, store,
/// checkpoint.seconds and the paths of data may change: with anything else it would be another run.
/// If more steps would mean another automatic eta, the run keeps the eta that it has. Throws
/// InputError if another setting changes, or if the run has already trained that many steps.
RunSettings changed_settings(const RunSettings& stored, const std::vector<std::string>& changes,
                             const std::optional<Checkpoint>& checkpoint);

/// Whether a run may continue with another value of the setting, and records of runs with different
/// values are of the same run: training does not depend on it, except for rounding on a GPU.
bool may_change(const Setting& setting);

/// Removes what the run in `folder` has stored, except its config. Returns what it removed, in
/// words: "run.db, 2 checkpoints"; empty if there was nothing.
std::string remove_progress(const std::filesystem::path& folder);

}  // namespace gradus
