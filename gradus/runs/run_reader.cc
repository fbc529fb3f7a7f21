// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/run_reader.h"

#include "gradus/core/error.h"
#include "gradus/runs/record_file.h"
#include "gradus/runs/run_lock.h"
#include "gradus/runs/run_store.h"
#include "gradus/runs/run_tables.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

fs::path existing_database(const fs::path& folder) {
  if (!fs::exists(database_file(folder))) {
    throw InputError(folder.string() + ": contains no run (no run.db, no record)");
  }
  return database_file(folder);
}

RunRecord read(const fs::path& folder, bool all) {
  RunRecord record;
  const bool held = RunLock::is_held(folder);
  read_snapshot(existing_database(folder), [&](Database& database) {
    record = {};
    record.folder = folder;
    read_facts(database, held, record);
    read_metrics(database, all ? "" : "WHERE steps = (SELECT max(steps) FROM metrics)", record);
    if (all) record.task_metrics = read_task_metrics(database, "", record);
  });
  measure_distances(record);
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
  std::vector<RunEvent> events;
  read_snapshot(existing_database(run),
                [&](Database& database) { events = read_events(database, 0); });
  return events;
}

std::string last_failure(const fs::path& run) {
  std::string reason;
  for (const RunEvent& event : read_events(run)) {
    if (event.kind == "failed") reason = event.message;
  }
  return reason;
}

}  // namespace gradus
