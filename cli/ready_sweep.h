// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/run_sweep.h"

namespace gradus::cli {

/// Options of the commands that train a ready config and write a page: reproduce and arena.
struct ReadySweepOptions {
  std::vector<std::string> overrides;
  std::string scale = "demo";
  std::string out;
  bool json = false;
  SweepFlags flags;
};

/// `scales` says what the scales are, and `folder` which folder is the default.
void add_ready_sweep_options(CLI::App& command, ReadySweepOptions& options,
                             const std::string& scales, const std::string& folder);

/// The runs of configs/SCALE/NAME.toml, with key=value arguments.
std::vector<SweepRun> ready_runs(const std::string& name, const std::string& scale,
                                 const std::vector<std::string>& overrides);

/// Trains the runs, and calls `write` with the folder of results even if some failed. With
/// --dry-run it only says what it would train.
void train_and_write(const std::vector<SweepRun>& runs, const std::string& folder,
                     const ReadySweepOptions& options,
                     const std::function<void(const std::string& results)>& write);

}  // namespace gradus::cli
