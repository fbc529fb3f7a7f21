// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gradus/core/curriculum.h"
#include "gradus/runs/settings.h"
#include "gradus/runs/sweep_grid.h"

namespace gradus {

/// Warnings about the settings of a run on `curriculum`. Throws InputError if they are
/// inconsistent.
std::vector<std::string> check_run(const RunSettings& settings, const Curriculum& curriculum);

/// What training some runs would do.
struct DryRun {
  struct Run {
    std::string name;
    std::string state;       ///< "waiting" if it has not started, else FoundRun::status()
    std::int64_t steps = 0;  ///< trained so far
    std::int64_t total = 0;  ///< that it trains in all
    std::size_t tasks = 0;
  };
  std::vector<Run> runs;
  std::vector<std::string> warnings;  ///< each once
  std::int64_t steps_left() const;
};

/// Checks every run as its start would, but creates no network and writes nothing to `folder`,
/// which contains a subfolder for each run; if it is empty, all runs are waiting. Throws InputError
/// if settings are inconsistent.
DryRun dry_run(const std::vector<SweepRun>& runs, const std::filesystem::path& folder);

}  // namespace gradus
