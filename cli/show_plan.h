// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include <CLI/CLI.hpp>

#include "gradus/runs/plan.h"

namespace gradus::cli {

/// Checks the runs and prints what training them would do. `folder` contains a subfolder per run,
/// or is the run's folder if `runs` is a single run without a name; empty if it is not known.
/// Throws InputError if settings are inconsistent.
void show_plan(const std::vector<SweepRun>& runs, const std::filesystem::path& folder, bool json);

/// Adds --dry-run to a command that trains.
void add_dry_run_flag(CLI::App& command, bool& dry_run);

}  // namespace gradus::cli
