// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gradus/runs/database.h"
#include "gradus/runs/metrics.h"
#include "gradus/runs/run_record.h"

namespace gradus {

/// Opens the database of a run for writing, which also rolls back what a killed process left.
/// `kind` is the setting "store".
Database open_store(const std::filesystem::path& folder, const std::string& kind);

/// Writes a run's database. Failures throw DatabaseError or std::system_error.
class RunStore {
 public:
  explicit RunStore(const std::filesystem::path& folder, const std::string& kind = "auto");

  using SettingTexts = std::map<std::string, std::string>;

  /// Stores what stays the same over the whole run. Does nothing if it is already stored. `units`
  /// holds Curriculum::unit() of each task, or is empty if no task has one; `data` is the
  /// data_fingerprint().
  void describe(const SettingTexts& settings, const std::vector<std::string>& tasks,
                std::optional<int> target, const std::vector<std::string>& units = {},
                const CurriculumDescription& description = {},
                const std::vector<DataSource>& data = {});
  void set_status(const std::string& status);
  /// Stores the settings of a run that continues: some may have changed.
  void set_settings(const SettingTexts& settings);
  /// Adds a task behind the others. At the evaluations so far its probability is 0.
  void add_task(const std::string& name);
  /// Stores the steps of the last checkpoint.
  void set_saved(std::int64_t steps);
  void add(const Metrics& metrics, const TaskMetrics& tasks, const Timing& timing);
  void add_event(std::int64_t steps, const std::string& kind, const std::string& message);

  /// Deletes the metrics after `steps`: a run that continues from there writes them again.
  void discard_after(std::int64_t steps);
  /// Syncs everything to disk.
  void sync() { database_.sync(); }
  /// Others see what was added at once, but on a shared disk only after sync() or show(). show()
  /// skips a call if it would take more than one percent of the time.
  void show() { database_.publish_if_cheap(); }
  bool is_shared() const { return database_.publishes(); }
  /// As Database::check_before_publishing().
  void check_before_publishing(std::function<void()> check) {
    database_.check_before_publishing(std::move(check));
  }

 private:
  Database database_;
};

}  // namespace gradus
