#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gradus/runs/metrics.h"

namespace gradus {

/// How far a run has come in wall-clock time at one evaluation.
struct Timing {
  std::int64_t steps = 0;
  double seconds = 0;           ///< of work, over all processes that worked on the run
  double steps_per_second = 0;  ///< since the last evaluation
};

/// A run as it is stored, which may be one that is still being written.
struct RunRecord {
  std::filesystem::path folder;
  std::string version;       ///< of the program that started it
  std::int64_t started = 0;  ///< seconds since 1970
  /// "running" (some process has it), "finished", "stopped" (can be resumed) or "failed".
  std::string status;
  std::map<std::string, std::string> settings;  ///< every setting's value as text: "pg", "1e-05"
  std::vector<std::string> tasks;
  std::optional<int> target;
  std::vector<std::string> units;         ///< of the tasks: Curriculum::unit()
  std::vector<Metrics> metrics;           ///< by steps
  std::vector<TaskMetrics> task_metrics;  ///< by steps
  std::vector<Timing> timing;             ///< by steps
};

}  // namespace gradus
