// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "gradus/runs/replay.h"

namespace gradus {

/// Path of the log of a run's rewards (syllabus.log), which replay.h reads.
std::filesystem::path reward_log_file(const std::filesystem::path& folder);

/// Reads that log. Throws InputError if the run has none.
ReplayLog read_reward_log(const std::filesystem::path& folder);

/// Writes the log of a run's rewards. Failures throw std::system_error.
class RewardLog {
 public:
  /// Opens the log of the run in `folder`, or starts one, and deletes all but its first `rows`
  /// rows: a run that continues from there writes them again. Throws InputError if it has fewer.
  RewardLog(const std::filesystem::path& folder, std::uint64_t rows);
  RewardLog(const RewardLog&) = delete;
  RewardLog& operator=(const RewardLog&) = delete;
  ~RewardLog();

  void add(const ReplayRow& row);
  /// Syncs the rows to disk.
  void sync();

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace gradus
