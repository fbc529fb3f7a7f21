// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gradus/runs/sweep_grid.h"

namespace gradus {

/// A folder of records, one per finished run of a sweep: NAME.jsonl.gz. A sweep with such a folder
/// trains only the runs that have no record yet, on any machine.
class RecordFolder {
 public:
  explicit RecordFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }
  /// Whether the run has a record. Throws InputError if its record has other settings; those that
  /// do not change the result (device, paths, checkpoints) may differ.
  bool has(const SweepRun& run) const;
  /// Records a finished run, whose folder is `run_folder`.
  void add(const SweepRun& run, const std::filesystem::path& run_folder) const;

 private:
  std::filesystem::path file_of(const SweepRun& run) const;
  std::filesystem::path folder_;
};

/// The runs for which every condition holds. A condition is KEY=VALUE[,VALUE...]: the setting has
/// one of the values. Throws InputError if a key or value is invalid, or no run is left.
std::vector<SweepRun> only(std::vector<SweepRun> runs, const std::vector<std::string>& conditions);

}  // namespace gradus
