// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "gradus/runs/sweep_grid.h"

namespace gradus::cli {

/// The runs that have not finished.
std::vector<SweepRun> missing_runs(const std::vector<SweepRun>& runs,
                                   const std::filesystem::path& folder);

/// Prints every run of the sweep in `folder`, whichever host trains it: its state, how far it is,
/// the host, and why it failed. Throws InputError if the folder contains no sweep.
void print_status(const std::filesystem::path& folder, bool json);

}  // namespace gradus::cli
