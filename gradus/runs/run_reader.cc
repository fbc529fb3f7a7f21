// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/run_reader.h"

#include <algorithm>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/runs/data_fingerprint.h"
#include "gradus/runs/database.h"
#include "gradus/runs/record_file.h"
#include "gradus/runs/run_lock.h"
#include "gradus/runs/run_store.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

std::string fact(Database& database, const std::string& key) {
  Statement row(database, "SELECT value FROM run WHERE key = ?");
  return row.bind(1, key).step() ? row.text(0) : "";
}

void read_tasks(Database& database, RunRecord& record) {
  // Databases of earlier versions have no column `unit`.
  Statement column(database, "SELECT 1 FROM pragma_table_info('tasks') WHERE name = 'unit'");
  const std::string unit = column.step() ? "unit" : "''";
  Statement tasks(database, "SELECT name, target, " + unit + " FROM tasks ORDER BY task");
  while (tasks.step()) {
    if (tasks.integer(1) != 0) record.target = static_cast<int>(record.tasks.size());
    record.tasks.push_back(tasks.text(0));
    record.units.push_back(tasks.text(2));
  }
}

void read_facts(Database& database, RunRecord& record) {
  if (!Statement(database, "SELECT 1 FROM sqlite_master WHERE name = 'run'").step()) {
    throw InputError(record.folder.string() +
                     ": run.db contains no run: it was just created, or its tables are missing");
  }
  if (fact(database, "format") != "1") {
    throw InputError(record.folder.string() +
                     ": run.db has a format that this version of gradus cannot read");
  }
  record.version = fact(database, "version");
  record.started = std::atoll(fact(database, "started").c_str());
  record.status = fact(database, "status");
  if (record.status == "running" && !RunLock::is_held(record.folder)) record.status = "stopped";
  Statement settings(database, "SELECT key, value FROM settings");
  while (settings.step()) record.settings[settings.text(0)] = settings.text(1);
  read_tasks(database, record);
  const std::string data = fact(database, "data");
  if (!data.empty()) record.data = read_sources(nlohmann::json::parse(data, nullptr, false));
  const std::string description = fact(database, "curriculum");
  describe(
      description.empty() ? nlohmann::json() : nlohmann::json::parse(description, nullptr, false),
      record);
}

// `condition` is an SQL clause that selects rows by their steps.
void read_metrics(Database& database, const std::string& condition, RunRecord& record) {
  std::string names;
  for (const MetricField& field : metric_fields()) names += ", " + field.name;
  Statement row(database, "SELECT steps, rounds, refused" + names + " FROM metrics " + condition +
                              " ORDER BY steps");
  while (row.step()) {
    Metrics metrics;
    metrics.steps = row.integer(0);
    metrics.rounds = row.integer(1);
    metrics.refused = row.integer(2);
    int column = 3;
    for (const MetricField& field : metric_fields()) metrics.*field.value = row.number(column++);
    record.metrics.push_back(metrics);
  }
  Statement timing(database, "SELECT steps, seconds, steps_per_second FROM timing " + condition +
                                 " ORDER BY steps");
  while (timing.step()) {
    record.timing.push_back({timing.integer(0), timing.number(1), timing.number(2)});
  }
}

// Whether the rows of each evaluation are one for each task. Those who use a record rely on it.
bool has_all_tasks(const RunRecord& record) {
  return std::ranges::all_of(record.task_metrics, [&](const TaskMetrics& at) {
    return at.policy.size() == record.tasks.size();
  });
}

void read_task_metrics(Database& database, RunRecord& record) {
  Statement row(database,
                "SELECT steps, policy, loss, error FROM task_metrics ORDER BY steps, task");
  while (row.step()) {
    if (record.task_metrics.empty() || record.task_metrics.back().steps != row.integer(0)) {
      record.task_metrics.push_back({row.integer(0), {}, {}, {}});
    }
    TaskMetrics& at = record.task_metrics.back();
    at.policy.push_back(row.number(1));
    at.loss.push_back(row.number(2));
    at.error.push_back(row.number(3));
  }
  if (!has_all_tasks(record)) {
    throw InputError(record.folder.string() + ": run.db is damaged: expected task_metrics of " +
                     std::to_string(record.tasks.size()) + " tasks at every evaluation");
  }
}

Database open(const fs::path& folder) {
  if (!fs::exists(database_file(folder))) {
    throw InputError(folder.string() + ": contains no run (no run.db, no record)");
  }
  return Database(database_file(folder), Database::Access::kRead);
}

RunRecord read(const fs::path& folder, bool all) {
  RunRecord record;
  record.folder = folder;
  Database database = open(folder);
  database.execute("BEGIN");  // read everything from one snapshot
  read_facts(database, record);
  read_metrics(database, all ? "" : "WHERE steps = (SELECT max(steps) FROM metrics)", record);
  if (all) read_task_metrics(database, record);
  database.execute("COMMIT");
  return record;
}

// Keeps only what read_latest() promises.
RunRecord latest_of(RunRecord record) {
  record.task_metrics.clear();
  if (record.metrics.size() > 1)
    record.metrics.erase(record.metrics.begin(), record.metrics.end() - 1);
  if (record.timing.size() > 1) record.timing.erase(record.timing.begin(), record.timing.end() - 1);
  return record;
}

}  // namespace

RunRecord read_run(const fs::path& run) {
  return is_record(run) ? read_record(run) : read(run, true);
}

RunRecord read_latest(const fs::path& run) {
  return is_record(run) ? latest_of(read_record(run)) : read(run, false);
}

std::vector<RunEvent> read_events(const fs::path& run) {
  if (is_record(run)) return {};
  Database database = open(run);
  Statement row(database, "SELECT time, steps, kind, message FROM events ORDER BY id");
  std::vector<RunEvent> events;
  while (row.step()) events.push_back({row.text(0), row.integer(1), row.text(2), row.text(3)});
  return events;
}

}  // namespace gradus
