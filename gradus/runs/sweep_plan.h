// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gradus/runs/sweep_grid.h"

namespace gradus {

/// What a sweep is to do, as its folder remembers it.
struct SweepPlan {
  std::vector<SweepRun> runs;
  std::string results;  ///< folder of records, or empty
};

/// Path of the file sweep.json in the folder of a sweep.
std::filesystem::path plan_file(const std::filesystem::path& folder);

/// Atomically writes the plan to the folder. Throws std::system_error on failure.
void write_plan(const SweepPlan& plan, const std::filesystem::path& folder);

/// Throws an InputError that names the file if it cannot be read or is not a plan.
SweepPlan read_plan(const std::filesystem::path& folder);

}  // namespace gradus
