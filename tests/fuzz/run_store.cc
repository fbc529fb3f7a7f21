// SPDX-License-Identifier: Apache-2.0
// The database of a run, which SQLite may refuse too. What is read can be exported, followed, and
// compared in a report.

#include <filesystem>
#include <sstream>

#include "gradus/report/document.h"
#include "gradus/runs/database.h"
#include "gradus/runs/export.h"
#include "gradus/runs/find_runs.h"
#include "gradus/runs/run_follower.h"
#include "gradus/runs/run_reader.h"
#include "tests/fuzz/fuzz.h"
#include "tests/temporary_folder.h"

namespace gradus::fuzz {
namespace {

std::optional<RunRecord> read(const std::filesystem::path& folder) {
  try {
    read_latest(folder);
    RunFollower(folder).refresh(RunFollower::Depth::kAll);
    return read_run(folder);
  } catch (const InputError&) {
  } catch (const DatabaseError&) {
  }
  return std::nullopt;
}

}  // namespace

GRADUS_FUZZ_TARGET(run_store)(const std::string& bytes) {
  static const testing::TemporaryFolder folder;
  // SQLite may leave the log of a database that it could not read.
  for (const char* left : {"run.db", "run.db-wal", "run.db-shm", "run.db-journal"}) {
    std::filesystem::remove(folder.path(left));
  }
  folder.write("run.db", bytes);
  const auto record = read(folder.path());
  if (!record) return;
  std::ostringstream out;
  write_metrics_csv(*record, out);
  write_tasks_csv(*record, out);
  write_jsonl(*record, out);
  write_tensorboard(*record, out);
  FoundRun{*record, ""}.seconds_left();
  accepted([&] {
    return report::document_of(report::make_report({*record}, {}))
        .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  });
}

}  // namespace gradus::fuzz
