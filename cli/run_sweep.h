// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/run_training.h"
#include "gradus/runs/claim.h"
#include "gradus/runs/sweep_plan.h"

namespace gradus::cli {

/// Options of every command that trains a sweep.
struct SweepFlags {
  int jobs = 0;                   ///< 0: as many as the cores can run
  std::string device;             ///< empty: that of the config
  std::vector<std::string> only;  ///< conditions for the runs to train; docs/runs.md
  int next = 0;                   ///< train at most this many missing runs; 0: all
  std::string results;            ///< folder of records; empty: none
  double lease = kLease.count();  ///< seconds without a sign of life after which a process is dead
  bool dry_run = false;           ///< only print what would be trained
  bool json = false;              ///< print the final table, or that of a dry run, as JSON
  TrainingFlags training;
};
void add_sweep_flags(CLI::App& command, SweepFlags& flags);
/// The key=value arguments, and those that the flags stand for.
std::vector<std::string> all_overrides(std::vector<std::string> overrides, const SweepFlags& flags);

/// The number of runs that an element of a job array trains at once in any case: 16 per GPU. Its
/// cores and GPUs are not known before it starts, except the GPUs that the device names.
int default_jobs_of_element(const std::vector<SweepRun>& runs);

/// What the folder of a sweep remembers. `results` is a folder of records, or empty.
SweepPlan plan_of(const std::vector<SweepRun>& runs, const std::string& results);

/// Trains the runs that the flags choose and shows a table of them, or with dry_run only says what
/// it would train. Throws InputError if none match, Interrupted if the user stops it, after saving
/// the active runs, and std::runtime_error if runs failed, after the others have finished.
void run_sweep(const std::vector<SweepRun>& runs, const std::filesystem::path& folder,
               const SweepFlags& flags);

}  // namespace gradus::cli
