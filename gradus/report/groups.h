// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "gradus/runs/run_record.h"

namespace gradus::report {

/// Runs that differ only in the seed, or in settings that do not change training.
struct Group {
  std::string name;     ///< "pg", or "pg, vi" if runs differ in more than gain and seed
  std::string gain;     ///< "pg"
  std::string variant;  ///< "vi", or empty
  /// Settings other than gain that differ between runs of the report and matter to this gain.
  std::map<std::string, std::string> differing;
  std::vector<const RunRecord*> runs;  ///< sorted by seed
};

struct Grouping {
  std::vector<Group> groups;       ///< baselines first, then in the paper's order of gains
  std::vector<std::string> notes;  ///< which runs were left out, and why
};

/// Groups runs of one curriculum by gain and by every other setting in which they differ, except
/// the seed and settings that do not change training (its length, evaluation, checkpoints and
/// cache). Of several runs with the same settings and seed only the longest is kept, so that
/// statistics are over seeds. The groups point into `runs`. Throws InputError if the runs have
/// different curricula or tasks.
Grouping group_runs(std::span<const RunRecord> runs);

/// The groups that `group` can be compared with: `group` itself if it is the baseline; else the
/// group named `baseline`; else the groups with the gain `baseline` that agree with `group` in all
/// settings that matter to both. Usually one; several if the baseline was trained with different
/// settings that do not matter to the gain of `group`.
std::vector<const Group*> baselines_for(const Group& group, std::span<const Group> groups,
                                        const std::string& baseline);

/// Whether the setting is one of GainSettings.
bool is_of_gains(const std::string& key);

/// setting_of() as a number. Throws an InputError that names the run if the value is none.
double number_setting(const RunRecord& run, const std::string& key, double otherwise);

/// Steps of the run's last evaluation, or 0 if there was none.
double last_steps(const RunRecord& run);

}  // namespace gradus::report
