#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/run_training.h"
#include "gradus/runs/sweep_grid.h"

namespace gradus::cli {

/// Options of every command that sweeps.
struct SweepFlags {
  int jobs = 0;        ///< 0 for as many as the cores carry
  std::string device;  ///< empty for the config's
  TrainingFlags training;
};
void add_sweep_flags(CLI::App& command, SweepFlags& flags);
/// The command line's key=value and those that flags stand for.
std::vector<std::string> all_overrides(std::vector<std::string> overrides, const SweepFlags& flags);

/// Trains all runs and shows a table of them. Throws Interrupted where the user stops it, after the
/// running ones are saved, and std::runtime_error where runs failed, once the others are done.
void run_sweep(const std::vector<SweepRun>& runs, const std::filesystem::path& folder,
               const SweepFlags& flags);

}  // namespace gradus::cli
