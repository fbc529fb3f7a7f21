// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gradus/core/curriculum.h"
#include "gradus/runs/metrics.h"

namespace gradus {

/// Wall-clock time of a run at one evaluation.
struct Timing {
  std::int64_t steps = 0;
  double seconds = 0;           ///< spent on the run so far, over all processes that trained it
  double steps_per_second = 0;  ///< since the last evaluation
};

/// Something that happened to a run; docs/runs.md lists the kinds.
struct RunEvent {
  std::int64_t id = 0;  ///< grows with time
  std::string time;     ///< UTC: "2026-11-18T02:30:00Z"
  std::int64_t steps = 0;
  std::string kind;
  std::string message;
};

/// A run as stored. It may still be training.
struct RunRecord {
  std::filesystem::path folder;
  std::string version;       ///< of gradus when the run started
  std::int64_t started = 0;  ///< seconds since 1970
  /// "running" (a process holds its lock), "finished", "stopped" (can be resumed) or "failed".
  std::string status;
  std::map<std::string, std::string> settings;  ///< every setting's value as text: "pg", "1e-05"
  std::vector<std::string> tasks;
  std::optional<int> target;
  std::vector<std::string> units;  ///< Curriculum::unit() of each task
  CurriculumDescription description;
  /// data_fingerprint(). Runs of earlier versions and records have none.
  std::optional<std::vector<DataSource>> data;
  std::vector<Metrics> metrics;           ///< sorted by steps
  std::vector<TaskMetrics> task_metrics;  ///< sorted by steps
  std::vector<Timing> timing;             ///< sorted by steps
};

/// The events as a page and --json show them.
nlohmann::ordered_json to_json(const std::vector<RunEvent>& events);

/// The value of a run's setting, or `otherwise` if it has none of that name.
std::string setting_of(const RunRecord& run, const std::string& key,
                       const std::string& otherwise = "");

/// Sets the description of a record whose settings and tasks are known: the one that was stored,
/// or, if `stored` is null or lacks the paper's figures, as in runs of earlier versions, the one
/// that follows from the settings.
/// Throws InputError if it does not fit the tasks.
void describe(const nlohmann::json& stored, RunRecord& record);

/// Removes everything about evaluations but metrics and timing of the last one.
void keep_last(RunRecord& record);

/// Sets Metrics::moved at every evaluation whose policy is in the record, and at no other.
void measure_distances(RunRecord& record);

}  // namespace gradus
