#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "gradus/runs/run_record.h"

namespace gradus::report {

/// Runs that differ in nothing but their seed.
struct Group {
  std::string name;     ///< "pg", or "pg, vi" where runs differ in more than gain and seed
  std::string gain;     ///< "pg"
  std::string variant;  ///< "vi", or empty
  /// Settings other than gain that differ between runs of the report and matter to this gain.
  std::map<std::string, std::string> differing;
  std::vector<const RunRecord*> runs;  ///< by seed
};

struct Grouping {
  std::vector<Group> groups;       ///< baselines first, then as the paper lists the gains
  std::vector<std::string> notes;  ///< what was left out
};

/// Groups runs of one curriculum by gain and by whatever else they differ in, apart from the seed
/// and what does not change training: how long it goes on and how it is evaluated. Of several runs
/// with the same settings and seed only the longest is kept, so that statistics are over seeds.
/// The groups point into `runs`. Throws InputError where curricula or tasks differ.
Grouping group_runs(std::span<const RunRecord> runs);

/// The groups that `baseline` names for `group` to be compared with: the one group called that, or
/// else those of that gain that agree with `group` in all settings that matter to both. One, unless
/// the baseline was trained in several ways that the group's gain does not depend on.
std::vector<const Group*> baselines_for(const Group& group, std::span<const Group> groups,
                                        const std::string& baseline);

/// A run's setting, or `otherwise` where it has none of that name.
std::string setting_of(const RunRecord& run, const std::string& key,
                       const std::string& otherwise = "");

/// Steps of the run's last evaluation; 0 where there was none yet.
double last_steps(const RunRecord& run);

}  // namespace gradus::report
