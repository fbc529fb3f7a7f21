// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/run_reader.h"

#include "gradus/runs/record_file.h"
#include "gradus/runs/run_folder.h"
#include "gradus/runs/run_lock.h"
#include "gradus/runs/run_tables.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

fs::path existing_database(const fs::path& folder) {
  if (!fs::exists(database_file(folder))) throw contains_no_run(folder);
  return database_file(folder);
}

RunRecord read(const fs::path& folder, bool all) {
  RunRecord record;
  const bool held = RunLock::is_held(folder);
  read_snapshot(existing_database(folder), [&](Database& database) {
    record = {};
    record.folder = folder;
    read_facts(database, held, record);
    read_metrics(database, all ? "" : kLastEvaluation, record);
    if (all) record.task_metrics = read_task_metrics(database, "", record);
  });
  measure_distances(record);
  return record;
}

}  // namespace

RunRecord read_run(const fs::path& run) {
  return is_record(run) ? read_record(run) : read(run, true);
}

RunRecord read_latest(const fs::path& run) {
  if (!is_record(run)) return read(run, false);
  RunRecord record = read_record(run);
  keep_last(record);
  return record;
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
