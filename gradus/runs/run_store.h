#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gradus/runs/database.h"
#include "gradus/runs/metrics.h"
#include "gradus/runs/run_record.h"
#include "gradus/runs/settings.h"

namespace gradus {

/// Where a run's database lies. docs/runs.md has its schema.
std::filesystem::path database_file(const std::filesystem::path& folder);

/// Writes a run's database. Failures throw DatabaseError.
class RunStore {
 public:
  explicit RunStore(const std::filesystem::path& folder);

  /// What stays the same over the whole run; does nothing where it is there already. `units` has
  /// Curriculum::unit() of each task; empty stands for tasks without one.
  void describe(const RunSettings& settings, const std::vector<std::string>& tasks,
                std::optional<int> target, const std::vector<std::string>& units = {});
  void set_status(const std::string& status);
  void add(const Metrics& metrics, const TaskMetrics& tasks, const Timing& timing);
  void add_event(std::int64_t steps, const std::string& kind, const std::string& message);

  /// Removes the metrics of more than `steps`: a run that goes on from there writes them anew.
  void discard_after(std::int64_t steps);
  /// Brings everything to the disk.
  void sync() { database_.sync(); }

 private:
  Database database_;
};

}  // namespace gradus
