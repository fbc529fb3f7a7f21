// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/run_tables.h"

#include <algorithm>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/runs/data_fingerprint.h"

namespace gradus {
namespace {

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

// Whether every evaluation has one row per task. Users of a record rely on it.
bool has_all_tasks(const std::vector<TaskMetrics>& rows, const RunRecord& record) {
  return std::ranges::all_of(
      rows, [&](const TaskMetrics& at) { return at.policy.size() == record.tasks.size(); });
}

}  // namespace

std::string read_status(Database& database, bool held) {
  std::string status = fact(database, "status");
  if (status == "running" && !held) return "stopped";
  if (status == "stopped" && held) return "running";
  return status;
}

std::int64_t read_started(Database& database) {
  return std::atoll(fact(database, "started").c_str());
}

void read_facts(Database& database, bool held, RunRecord& record) {
  if (!Statement(database, "SELECT 1 FROM sqlite_master WHERE name = 'run'").step()) {
    throw InputError(record.folder.string() +
                     ": run.db contains no run: it was just created, or its tables are missing");
  }
  if (fact(database, "format") != kRunFormat) {
    throw InputError(record.folder.string() +
                     ": run.db has a format that this version of gradus cannot read");
  }
  record.version = fact(database, "version");
  record.started = read_started(database);
  record.status = read_status(database, held);
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

std::vector<TaskMetrics> read_task_metrics(Database& database, const std::string& condition,
                                           const RunRecord& record) {
  std::vector<TaskMetrics> rows;
  Statement row(database, "SELECT steps, policy, loss, error FROM task_metrics " + condition +
                              " ORDER BY steps, task");
  while (row.step()) {
    if (rows.empty() || rows.back().steps != row.integer(0)) {
      rows.push_back({row.integer(0), {}, {}, {}});
    }
    TaskMetrics& at = rows.back();
    at.policy.push_back(row.number(1));
    at.loss.push_back(row.number(2));
    at.error.push_back(row.number(3));
  }
  if (!has_all_tasks(rows, record)) {
    throw InputError(record.folder.string() + ": run.db is damaged: expected task_metrics of " +
                     std::to_string(record.tasks.size()) + " tasks at every evaluation");
  }
  return rows;
}

std::vector<RunEvent> read_events(Database& database, std::int64_t after) {
  std::vector<RunEvent> events;
  Statement row(database,
                "SELECT id, time, steps, kind, message FROM events WHERE id > ? ORDER BY id");
  row.bind(1, after);
  while (row.step()) {
    events.push_back({row.integer(0), row.text(1), row.integer(2), row.text(3), row.text(4)});
  }
  return events;
}

}  // namespace gradus
