// SPDX-License-Identifier: Apache-2.0
#include "gradus/serve/listing.h"

#include <set>

#include "gradus/core/error.h"
#include "gradus/report/numbers.h"
#include "gradus/runs/find_runs.h"
#include "gradus/runs/loss_unit.h"
#include "gradus/runs/run_folder.h"

namespace gradus::serve {
namespace {

using Json = nlohmann::ordered_json;
using report::rounded;

void add_losses(const RunRecord& run, Json& row) {
  const Metrics last = run.metrics.empty() ? Metrics() : run.metrics.back();
  const LossUnit unit = loss_unit(run.units, run.target);
  row["unit"] = unit.name;
  row["training"] = rounded(last.training_loss * unit.per_nat);
  row["target"] = rounded(last.target_loss * unit.per_nat);
  row["mean"] = rounded(last.mean_loss * loss_unit(run.units).per_nat);
  row["completed"] = rounded(last.tasks_completed);
  row["entropy"] = rounded(last.entropy);
}

Json row_of(const RunRecord& run) {
  const FoundRun found{run, ""};
  Json row = {{"status", run.status},
              {"curriculum", setting_of(run, "curriculum")},
              {"gain", setting_of(run, "gain")},
              {"seed", setting_of(run, "seed")},
              {"tasks", run.tasks.size()},
              {"recorded", !std::filesystem::exists(config_file(run.folder))},
              {"started", run.started},
              {"steps", found.steps()},
              {"total", found.total_steps()},
              {"rate", rounded(found.steps_per_second())},
              {"left", rounded(found.seconds_left())},
              {"seconds", run.timing.empty() ? Json() : rounded(run.timing.back().seconds)},
              {"host", found.host()},
              {"reason", found.reason()}};
  add_losses(run, row);
  return row;
}

}  // namespace

void Listing::scan() {
  std::vector<NamedRun> found = folders_.find();
  const std::lock_guard lock(mutex_);
  const std::set<std::filesystem::path> planned = plans_.add_waiting(found);
  std::set<std::string> names;
  bool changed = false;
  for (const NamedRun& run : found) {
    names.insert(run.name);
    const auto known = entries_.find(run.name);
    Entry& entry = known != entries_.end()
                       ? known->second
                       : entries_.emplace(run.name, Entry{next_number_++, RunFollower(run.path)})
                             .first->second;
    entry.in_sweep = planned.contains(run.path.parent_path());
  }
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    if (names.contains(entry->first)) {
      ++entry;
      continue;
    }
    removed_[entry->second.number] = version_ + 1;
    entry = entries_.erase(entry);
    changed = true;
  }
  if (!changed) return;
  ++version_;
  changed_.notify_all();
}

void Listing::refresh() {
  const std::lock_guard lock(mutex_);
  const std::int64_t next = version_ + 1;
  bool changed = false;
  for (auto& [name, entry] : entries_) {
    read(name, entry, next);
    changed = changed || entry.changed == next;
  }
  if (!changed) return;
  version_ = next;
  changed_.notify_all();
}

// A run that cannot be read is listed with the reason.
void Listing::read(const std::string& name, Entry& entry, std::int64_t version) {
  Json row;
  const std::filesystem::path path = entry.follower.record().folder;
  try {
    if (plans_.is_waiting(path)) {
      row = {{"status", "waiting"}, {"steps", 0}, {"total", plans_.steps_of(path)}};
    } else if (entry.follower.refresh() || entry.row.is_null() ||
               entry.row["status"] == "waiting") {
      row = row_of(entry.follower.record());
    } else {
      return;
    }
  } catch (const std::exception& error) {
    row = {{"status", "broken"}, {"problem", error.what()}};
  }
  row["n"] = entry.number;
  row["name"] = name;
  row["sweep"] = entry.in_sweep;
  if (row == entry.row) return;
  entry.row = std::move(row);
  entry.changed = version;
}

std::int64_t Listing::version() const {
  const std::lock_guard lock(mutex_);
  return version_;
}

void Listing::wait_for_change(std::int64_t seen, std::chrono::milliseconds most) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, most, [&] { return awake_ || version_ != seen; });
}

void Listing::wake() {
  const std::lock_guard lock(mutex_);
  awake_ = true;
  changed_.notify_all();
}

Json Listing::changes(std::int64_t since) const {
  const std::lock_guard lock(mutex_);
  Json json = {{"version", version_}, {"runs", Json::array()}, {"gone", Json::array()}};
  for (const auto& [name, entry] : entries_) {
    if (entry.changed > since) json["runs"].push_back(entry.row);
  }
  if (since == 0) return json;
  for (const auto& [number, version] : removed_) {
    if (version > since) json["gone"].push_back(number);
  }
  return json;
}

std::filesystem::path Listing::path_of(std::int64_t number) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [name, entry] : entries_) {
    if (entry.number == number) return entry.follower.record().folder;
  }
  throw InputError("there is no run with the number " + std::to_string(number));
}

}  // namespace gradus::serve
