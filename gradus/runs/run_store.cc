// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/run_store.h"

#include <chrono>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gradus/core/version.h"
#include "gradus/files/file.h"
#include "gradus/runs/data_fingerprint.h"
#include "gradus/runs/run_folder.h"
#include "gradus/runs/run_tables.h"

namespace gradus {
namespace {

std::string schema() {
  std::string numbers;
  for (const MetricField& field : metric_fields()) numbers += ", " + field.name + " REAL";
  return "CREATE TABLE IF NOT EXISTS run (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
         "CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT NOT NULL)"
         "  WITHOUT ROWID;"
         "CREATE TABLE IF NOT EXISTS tasks (task INTEGER PRIMARY KEY, name TEXT NOT NULL,"
         "  target INTEGER NOT NULL, unit TEXT NOT NULL);"
         "CREATE TABLE IF NOT EXISTS metrics (steps INTEGER PRIMARY KEY, rounds INTEGER NOT NULL,"
         "  refused INTEGER NOT NULL" +
         numbers +
         ");"
         "CREATE TABLE IF NOT EXISTS task_metrics (steps INTEGER NOT NULL, task INTEGER NOT NULL,"
         "  policy REAL NOT NULL, loss REAL, error REAL, PRIMARY KEY (steps, task)) WITHOUT ROWID;"
         "CREATE TABLE IF NOT EXISTS timing (steps INTEGER PRIMARY KEY, seconds REAL NOT NULL,"
         "  steps_per_second REAL);"
         "CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY, time TEXT NOT NULL,"
         "  steps INTEGER NOT NULL, kind TEXT NOT NULL, message TEXT NOT NULL);";
}

std::string now() {
  return fmt::format(
      "{:%Y-%m-%dT%H:%M:%SZ}",
      fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

void put_fact(Database& database, const std::string& key, const std::string& value) {
  Statement(database, "INSERT OR REPLACE INTO run VALUES (?, ?)").bind(1, key).bind(2, value).run();
}

void put_settings(Database& database, const RunStore::SettingTexts& settings) {
  Statement row(database, "INSERT OR REPLACE INTO settings VALUES (?, ?)");
  for (const auto& [key, value] : settings) row.bind(1, key).bind(2, value).run();
}

}  // namespace

Database open_store(const std::filesystem::path& folder, const std::string& kind) {
  const bool shared = kind == "shared" || (kind == "auto" && is_on_network(folder));
  return {database_file(folder), shared ? Database::Access::kPublish : Database::Access::kWrite};
}

RunStore::RunStore(const std::filesystem::path& folder, const std::string& kind)
    : database_(open_store(folder, kind)) {
  Transaction transaction(database_);
  database_.execute(schema());
  transaction.commit();
}

void RunStore::describe(const SettingTexts& settings, const std::vector<std::string>& tasks,
                        std::optional<int> target, const std::vector<std::string>& units,
                        const CurriculumDescription& description,
                        const std::vector<DataSource>& data) {
  Transaction transaction(database_);
  Statement known(database_, "SELECT 1 FROM run WHERE key = 'format'");
  if (known.step()) return;
  put_fact(database_, "format", kRunFormat);
  put_fact(database_, "version", std::string(version()));
  put_fact(database_, "started", std::to_string(std::time(nullptr)));
  put_fact(database_, "curriculum", to_json(description).dump());
  put_fact(database_, "data", to_json(data).dump());
  put_settings(database_, settings);
  Statement task_row(database_, "INSERT INTO tasks VALUES (?, ?, ?, ?)");
  for (std::size_t task = 0; task < tasks.size(); ++task) {
    const auto number = static_cast<std::int64_t>(task);
    task_row.bind(1, number).bind(2, tasks[task]).bind(3, std::int64_t{number == target});
    task_row.bind(4, task < units.size() ? units[task] : "").run();
  }
  transaction.commit();
}

void RunStore::set_status(const std::string& status) {
  put_fact(database_, "status", status);
}

void RunStore::set_settings(const SettingTexts& settings) {
  Transaction transaction(database_);
  put_settings(database_, settings);
  transaction.commit();
}

void RunStore::add_task(const std::string& name) {
  Transaction transaction(database_);
  database_.execute(
      "INSERT INTO task_metrics SELECT steps, (SELECT count(*) FROM tasks), 0, NULL,"
      "  NULL FROM metrics");
  Statement(database_, "INSERT INTO tasks SELECT count(*), ?, 0, '' FROM tasks")
      .bind(1, name)
      .run();
  transaction.commit();
}

void RunStore::set_saved(std::int64_t steps) {
  put_fact(database_, "saved", std::to_string(steps));
}

void RunStore::add(const Metrics& metrics, const TaskMetrics& tasks, const Timing& timing) {
  Transaction transaction(database_);
  std::string places;
  for (std::size_t i = 0; i < metric_fields().size(); ++i) places += ", ?";
  Statement row(database_, "INSERT INTO metrics VALUES (?, ?, ?" + places + ")");
  row.bind(1, metrics.steps).bind(2, metrics.rounds).bind(3, metrics.refused);
  int column = 4;
  for (const MetricField& field : metric_fields()) row.bind(column++, metrics.*field.value);
  row.run();

  Statement task_row(database_, "INSERT INTO task_metrics VALUES (?, ?, ?, ?, ?)");
  for (std::size_t task = 0; task < tasks.policy.size(); ++task) {
    task_row.bind(1, metrics.steps).bind(2, static_cast<std::int64_t>(task));
    task_row.bind(3, tasks.policy[task]);
    task_row.bind(4, task < tasks.loss.size() ? tasks.loss[task] : Metrics::kNone);
    task_row.bind(5, task < tasks.error.size() ? tasks.error[task] : Metrics::kNone);
    task_row.run();
  }
  Statement(database_, "INSERT INTO timing VALUES (?, ?, ?)")
      .bind(1, timing.steps)
      .bind(2, timing.seconds)
      .bind(3, timing.steps_per_second)
      .run();
  transaction.commit();
}

void RunStore::add_event(std::int64_t steps, const std::string& kind, const std::string& message) {
  Statement(database_, "INSERT INTO events (time, steps, kind, message) VALUES (?, ?, ?, ?)")
      .bind(1, now())
      .bind(2, steps)
      .bind(3, kind)
      .bind(4, message)
      .run();
}

void RunStore::discard_after(std::int64_t steps) {
  Transaction transaction(database_);
  for (const char* table : {"metrics", "task_metrics", "timing"}) {
    Statement(database_, fmt::format("DELETE FROM {} WHERE steps > ?", table)).bind(1, steps).run();
  }
  transaction.commit();
}

}  // namespace gradus
