// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/resumable.h"

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/core/text.h"
#include "gradus/runs/database.h"
#include "gradus/runs/reward_log.h"
#include "gradus/runs/run_folder.h"
#include "gradus/runs/run_store.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& folder, const std::string& problem) {
  throw InputError(folder.string() + ": " + problem +
                   "; restore it from a copy, or start over with: gradus resume " +
                   folder.string() + " --restart");
}

// Databases are opened for writing: a kill may have left a journal that a reader cannot roll back.
// The caller holds the lock of the run.
bool has_tables(Database& database) {
  return Statement(database, "SELECT 1 FROM sqlite_master WHERE name = 'metrics'").step();
}

// The steps of the last checkpoint. Nothing if there was none.
std::optional<std::int64_t> saved_steps(const fs::path& folder, const std::string& store) {
  if (!fs::exists(database_file(folder))) return {};
  Database database = open_store(folder, store);
  if (!has_tables(database)) return {};
  Statement row(database, "SELECT CAST(value AS INTEGER) FROM run WHERE key = 'saved'");
  if (!row.step()) return {};
  return row.integer(0);
}

std::int64_t evaluations_before(Database database, std::int64_t steps) {
  if (!has_tables(database)) return 0;
  Statement row(database, "SELECT count(*) FROM metrics WHERE steps < ?");
  return row.bind(1, steps).step() ? row.integer(0) : 0;
}

// Every evaluation before a checkpoint is synced to disk before the checkpoint is written.
void check_metrics(const fs::path& folder, const RunSettings& settings,
                   const Checkpoint& checkpoint) {
  if (!fs::exists(database_file(folder))) refuse(folder, "its metrics (run.db) are gone");
  // A run that trains longer than planned makes the evaluation at its old end again.
  const nlohmann::json end = checkpoint.state.value("before_end", nlohmann::json());
  const bool longer = !end.is_null() && settings.steps > checkpoint.steps;
  const auto expected =
      static_cast<std::int64_t>(read_count(longer ? end : checkpoint.state, "evaluations"));
  const std::int64_t stored =
      evaluations_before(open_store(folder, settings.store), checkpoint.steps + (longer ? 0 : 1));
  if (stored == expected) return;
  refuse(folder, "run.db has " + std::to_string(stored) + " of the " + std::to_string(expected) +
                     " evaluations before the checkpoint at " + std::to_string(checkpoint.steps) +
                     " steps");
}

}  // namespace

void check_resumable(const fs::path& folder, const RunSettings& settings,
                     const std::optional<Checkpoint>& checkpoint,
                     const std::vector<std::string>& damage) try {
  if (checkpoint) return check_metrics(folder, settings, *checkpoint);
  if (!damage.empty()) refuse(folder, "no undamaged checkpoint is left: " + damage.back());
  const auto saved = saved_steps(folder, settings.store);
  if (!saved) return;
  refuse(folder, "its checkpoint at " + std::to_string(*saved) + " steps is gone");
} catch (const DatabaseError& error) {
  refuse(folder, std::string("its metrics cannot be read (") + error.what() + ")");
}

bool may_change(const Setting& setting) {
  return setting.is_path || setting.key == "device" || setting.key == "checkpoint.seconds" ||
         setting.key == "store";
}

RunSettings changed_settings(const RunSettings& stored, const std::vector<std::string>& changes,
                             const std::optional<Checkpoint>& checkpoint) {
  RunSettings before = stored;
  RunSettings after = stored;
  apply_overrides(changes, after);
  make_paths_absolute(after);
  for (const auto& [then, now] : differing(before, after)) {
    if (now.key == "steps" || may_change(now)) continue;
    throw InputError(
        now.key + " is " + value_text(then) +
        " and cannot change; gradus train starts a new run. Only steps, device, store, "
        "checkpoint.seconds and the paths of data may change");
  }
  if (!checkpoint || after.steps == before.steps) return after;
  if (after.steps <= checkpoint->steps) {
    throw InputError("steps is " + std::to_string(after.steps) + ", but the run has trained " +
                     std::to_string(checkpoint->steps) + " steps; expected more");
  }
  const nlohmann::json& policy = checkpoint->state.at("syllabus").at("policy").at("settings");
  const auto eta = policy.find("eta");
  if (!after.syllabus.eta && eta != policy.end()) after.syllabus.eta = eta->get<double>();
  return after;
}

std::string remove_progress(const fs::path& folder) {
  std::string removed;
  const auto tell = [&](const std::string& what) {
    removed += (removed.empty() ? "" : ", ") + what;
  };
  const fs::path checkpoints = checkpoints_folder(folder);
  if (fs::exists(checkpoints)) {
    const auto count = std::distance(fs::directory_iterator(checkpoints), fs::directory_iterator());
    fs::remove_all(checkpoints);
    tell(count_text(count, "checkpoint"));
  }
  const std::string database = database_file(folder).string();
  for (const char* log : {"-wal", "-shm", "-journal"}) fs::remove(database + log);
  if (fs::remove(database)) tell("run.db");
  if (fs::remove(reward_log_file(folder))) tell("rewards.csv");
  return removed;
}

}  // namespace gradus
