// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/run_follower.h"

#include <algorithm>
#include <cmath>

#include <sys/stat.h>

#include "gradus/runs/record_file.h"
#include "gradus/runs/run_folder.h"
#include "gradus/runs/run_lock.h"
#include "gradus/runs/run_reader.h"
#include "gradus/runs/run_tables.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

// Appends what changes whenever the file does: its identity, size and time.
void add_file(const fs::path& file, std::vector<std::int64_t>& stamp) {
  struct stat facts = {};
  if (::stat(file.c_str(), &facts) != 0) facts = {};
  for (const auto number :
       {static_cast<std::int64_t>(facts.st_ino), static_cast<std::int64_t>(facts.st_size),
        static_cast<std::int64_t>(facts.st_mtim.tv_sec),
        static_cast<std::int64_t>(facts.st_mtim.tv_nsec)}) {
    stamp.push_back(number);
  }
}

void drop_after(std::int64_t steps, RunRecord& record) {
  const auto later = [&](const auto& row) { return row.steps > steps; };
  std::erase_if(record.metrics, later);
  std::erase_if(record.timing, later);
  std::erase_if(record.task_metrics, later);
}

std::string after(const RunRecord& record) {
  return record.metrics.empty() ? ""
                                : "WHERE steps > " + std::to_string(record.metrics.back().steps);
}

}  // namespace

RunFollower::Stamp RunFollower::stamp() const {
  Stamp stamp;
  if (is_record(record_.folder)) {
    add_file(record_.folder, stamp.files);
    return stamp;
  }
  const fs::path database = database_file(record_.folder);
  add_file(database, stamp.files);
  add_file(database.string() + "-wal", stamp.files);
  stamp.held = RunLock::is_held(record_.folder);
  return stamp;
}

bool RunFollower::refresh(Depth depth) {
  const Stamp now = stamp();  // before reading, so that nothing is missed
  const bool deeper = depth == Depth::kAll && !has_history_;
  if (known_ && now == stamp_ && !deeper) return false;
  stamp_ = {};  // if reading fails, try again next time
  if (deeper) drop_after(-1, record_);
  has_history_ = has_history_ || deeper;
  if (is_record(record_.folder)) {
    record_ = read_record(record_.folder);
    if (!has_history_) keep_last(record_);
  } else {
    bool again = false;
    read_snapshot(database_file(record_.folder), [&](Database& database) {
      if (again) start_over();
      again = true;
      read(database, now.held);
    });
  }
  known_ = true;
  stamp_ = now;
  return true;
}

// Whether the database is no longer that of the run as we know it, as after a start from scratch.
bool RunFollower::is_replaced(Database& database) const {
  if (!known_) return false;
  Statement events(database, "SELECT max(id) FROM events");
  events.step();
  return events.integer(0) < last_event_ || read_started(database) != record_.started;
}

void RunFollower::start_over() {
  drop_after(-1, record_);
  last_event_ = 0;
  known_ = false;
}

void RunFollower::read(Database& database, bool held) {
  if (is_replaced(database)) start_over();
  const std::vector<RunEvent> events = read_events(database, last_event_);
  if (!known_ || !events.empty()) {  // a resumed run may have other settings
    RunRecord fresh;
    fresh.folder = record_.folder;
    read_facts(database, held, fresh);
    // Read the evaluations again if tasks were added: they have values for the new ones.
    if (fresh.tasks != record_.tasks) drop_after(-1, record_);
    fresh.metrics = std::move(record_.metrics);
    fresh.timing = std::move(record_.timing);
    fresh.task_metrics = std::move(record_.task_metrics);
    record_ = std::move(fresh);
  } else {
    record_.status = read_status(database, held);
  }
  drop_rewritten_rows(database, events);
  if (has_history_) {
    read_metrics(database, after(record_), record_);
    read_coarse_grid(database);
    return;
  }
  record_.metrics.clear();
  record_.timing.clear();
  read_metrics(database, kLastEvaluation, record_);
}

// A run that is resumed deletes the rows after its checkpoint, and writes them again. If it is to
// train longer, it also takes back its last evaluation, which is at the checkpoint.
void RunFollower::drop_rewritten_rows(Database& database, const std::vector<RunEvent>& events) {
  for (const RunEvent& event : events) {
    last_event_ = event.id;
    if (event.kind == "resumed") drop_after(event.steps - 1, record_);
  }
  Statement last(database, "SELECT max(steps) FROM metrics");
  drop_after(last.step() && !last.is_null(0) ? last.integer(0) : -1, record_);
}

void RunFollower::read_coarse_grid(Database& database) {
  std::vector<std::int64_t> steps;
  for (const Metrics& row : record_.metrics) {
    if (!std::isnan(row.mean_loss)) steps.push_back(row.steps);  // every task was measured
  }
  if (steps.empty()) {
    for (const Metrics& row : record_.metrics) steps.push_back(row.steps);
  }
  std::vector<TaskMetrics> grid;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!is_on_coarse_grid(i, steps.size())) continue;
    const auto known =
        std::ranges::lower_bound(record_.task_metrics, steps[i], {}, &TaskMetrics::steps);
    if (known != record_.task_metrics.end() && known->steps == steps[i]) {
      grid.push_back(std::move(*known));
      continue;
    }
    const std::string condition = "WHERE steps = " + std::to_string(steps[i]);
    for (TaskMetrics& row : read_task_metrics(database, condition, record_)) {
      grid.push_back(std::move(row));
    }
  }
  record_.task_metrics = std::move(grid);
  measure_distances(record_);
}

}  // namespace gradus
