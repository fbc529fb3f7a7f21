// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gradus/runs/run_record.h"

namespace gradus {

/// The run folders and records at or below `folder`, sorted by name. A run folder has a run.db, or
/// it has a config.toml and a lock: its run.db is lost, or the run has just been started. Skips
/// folders that cannot be read. Throws InputError if `folder` is neither a folder nor a record.
std::vector<std::filesystem::path> find_runs(const std::filesystem::path& folder);

/// The same for several folders. A run that is in several of them counts once. Throws InputError if
/// a folder contains no run.
std::vector<std::filesystem::path> find_runs(const std::vector<std::string>& folders);

/// read_run() for one run of many: if the run is broken, calls `note` with one line that names it
/// and returns nothing.
std::optional<RunRecord> read_unless_broken(const std::filesystem::path& run, const Note& note);

/// A run that was found, with its latest state. One that cannot be read is no error, because it
/// must not hide the others.
struct FoundRun {
  RunRecord run;        ///< as of read_latest(); only `folder` is set if the run cannot be read
  std::string problem;  ///< why the run cannot be read; empty if it can

  /// RunRecord::status, or "broken" if the run cannot be read.
  std::string status() const { return problem.empty() ? run.status : "broken"; }
  std::int64_t steps() const;        ///< trained at the last evaluation
  std::int64_t total_steps() const;  ///< 0 if unknown
  double steps_per_second() const;   ///< before the last evaluation; 0 if unknown
  /// Time until it ends at that rate; NaN if it is not running, or the rate or the end
  /// is unknown.
  double seconds_left() const;
  /// The host of the last process that worked on it; empty if unknown.
  std::string host() const;
  /// Why it failed or cannot be read, or that its holder on another host seems to be dead; empty if
  /// none of these is the case.
  std::string reason() const;
};

/// Reads the latest state of a run. Does not throw if the run is broken.
FoundRun read_found(const std::filesystem::path& run);

/// The same for every run of find_runs(folder).
std::vector<FoundRun> scan_runs(const std::filesystem::path& folder);

/// Whether `folder` contains a run that Gradus has trained to its end.
bool is_finished(const std::filesystem::path& folder);

}  // namespace gradus
