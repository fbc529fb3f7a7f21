// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/recorder.h"

#include <algorithm>
#include <cmath>

#include <unistd.h>

#include "gradus/core/error.h"
#include "gradus/core/policy.h"
#include "gradus/core/version.h"
#include "gradus/runs/run_folder.h"
#include "gradus/runs/run_reader.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

std::optional<int> index_of(const std::string& task, const std::vector<std::string>& tasks) {
  const auto place = std::ranges::find(tasks, task);
  if (place == tasks.end()) return {};
  return static_cast<int>(place - tasks.begin());
}

// With other settings or tasks it would be another run. Only its length may change.
void check_same(const RecordedRun& run, const RunRecord& stored) {
  const auto refuse = [&](const std::string& what, const std::string& then,
                          const std::string& now) {
    throw InputError(stored.folder.string() + ": contains a run with another " + what + ": " +
                     then + ", expected " + now);
  };
  const auto compare = [&](const auto& settings, const auto& others, bool ours) {
    for (const auto& [key, value] : settings) {
      const auto other = others.find(key);
      const std::string there = other == others.end() ? "nothing" : other->second;
      if (key != "steps" && there != value) {
        refuse(key, ours ? there : value, ours ? value : there);
      }
    }
  };
  compare(run.settings, stored.settings, true);
  compare(stored.settings, run.settings, false);
  const std::string target = stored.target ? stored.tasks[*stored.target] : "";
  if (target != run.target) refuse("target", '"' + target + '"', '"' + run.target + '"');
  const bool related = std::ranges::any_of(
      run.tasks, [&](const std::string& task) { return index_of(task, stored.tasks).has_value(); });
  if (!related) refuse("set of tasks", stored.tasks.front() + ", ...", run.tasks.front() + ", ...");
}

bool has_none_nan(const std::vector<double>& values) {
  return std::ranges::none_of(values, [](double value) { return std::isnan(value); });
}

void set_if_nan(double& value, double otherwise) {
  if (std::isnan(value)) value = otherwise;
}

// What follows from the values of the tasks.
Metrics summary_of(const RecordedEvaluation& tasks, const std::string& target) {
  Metrics metrics;
  metrics.entropy = entropy(tasks.policy);
  if (const auto at = index_of(target, tasks.tasks)) {
    metrics.target_loss = tasks.loss[*at];
    metrics.target_error = tasks.error[*at];
  }
  if (has_none_nan(tasks.loss)) set_means(tasks.loss, tasks.error, metrics);
  return metrics;
}

}  // namespace

Recorder::Recorder(const fs::path& folder, const RecordedRun& run,
                   std::optional<std::int64_t> resume_at)
    : folder_(folder), target_(run.target), owner_(::getpid()) {
  if (!run.target.empty() && !index_of(run.target, run.tasks)) {
    throw_unknown("target task", run.target, run.tasks);
  }
  if (fs::exists(config_file(folder))) {
    throw InputError(folder.string() + ": contains a run that gradus trains; gradus resume " +
                     "continues it");
  }
  const bool exists = fs::exists(database_file(folder));
  if (!exists && resume_at.value_or(0) > 0) {
    throw InputError(folder.string() + ": contains no run that could continue at " +
                     std::to_string(*resume_at) + " steps");
  }
  if (exists && !resume_at) {
    throw InputError(folder.string() +
                     ": already contains a run; pass resume=STEPS to continue it");
  }
  exists ? resume(run, *resume_at) : start(run);
}

Recorder::~Recorder() {
  try {
    close("stopped");
  } catch (const std::exception&) {
    // A run whose process is gone counts as stopped anyway.
  }
}

void Recorder::open_store(const std::string& kind) {
  store_ = std::make_unique<RunStore>(folder_, kind);
  store_->check_before_publishing([this] { lock_->check(); });
}

void Recorder::start(const RecordedRun& run) {
  check_free(folder_);
  make_run_folder(folder_);
  lock_ = std::make_unique<RunLock>(folder_);
  open_store(run.store);
  tasks_ = run.tasks;
  store_->describe(run.settings, tasks_, index_of(run.target, tasks_), {},
                   {.title = run.settings.at("curriculum"), .measure = run.measure});
  store_->set_status("running");
  note("started", "Gradus " + std::string(version()) + ", recorded");
}

void Recorder::resume(const RecordedRun& run, std::int64_t steps) {
  auto lock = std::make_unique<RunLock>(folder_);
  check_same(run, read_latest(folder_));
  lock_ = std::move(lock);
  open_store(run.store);
  store_->set_settings(run.settings);
  store_->discard_after(steps);
  store_->sync();
  const RunRecord stored = read_latest(folder_);
  tasks_ = stored.tasks;
  steps_ = stored.metrics.empty() ? -1 : stored.metrics.back().steps;
  clock_ = RunClock(stored.timing.empty() ? 0 : stored.timing.back().seconds, steps);
  store_->set_status("running");
  store_->add_event(steps, "resumed", "Gradus " + std::string(version()) + ", recorded");
  store_->sync();
}

// The places of the tasks in the stored list, to which it adds those that are new.
std::vector<std::size_t> Recorder::places_of(const std::vector<std::string>& tasks) {
  std::vector<std::size_t> places;
  for (const std::string& task : tasks) {
    const auto place = index_of(task, tasks_);
    places.push_back(place ? static_cast<std::size_t>(*place) : tasks_.size());
    if (place) continue;
    store_->add_task(task);
    tasks_.push_back(task);
    note("note", "new task: " + task);
  }
  return places;
}

Metrics Recorder::add(Metrics metrics, const RecordedEvaluation& tasks) {
  check_open();
  if (metrics.steps <= steps_) {
    throw InputError("steps is " + std::to_string(metrics.steps) + ", expected more than the " +
                     std::to_string(steps_) + " of the last evaluation");
  }
  const Metrics summary = summary_of(tasks, target_);
  for (const MetricField& field : metric_fields()) {
    set_if_nan(metrics.*field.value, summary.*field.value);
  }
  const std::vector<std::size_t> places = places_of(tasks.tasks);
  const std::vector<double> none(tasks_.size(), Metrics::kNone);
  TaskMetrics row{metrics.steps, std::vector<double>(tasks_.size(), 0), none, none};
  for (std::size_t i = 0; i < places.size(); ++i) {
    row.policy[places[i]] = tasks.policy[i];
    row.loss[places[i]] = tasks.loss[i];
    row.error[places[i]] = tasks.error[i];
  }
  store_->add(metrics, row, clock_.mark(metrics.steps));
  // The user's checkpoint may rely on this evaluation.
  if (store_->is_shared()) store_->sync();
  steps_ = metrics.steps;
  return metrics;
}

void Recorder::note(const std::string& kind, const std::string& message) {
  check_open();
  store_->add_event(steps(), kind, message);
  store_->sync();
}

void Recorder::close(const std::string& status, const std::string& message) {
  if (!lock_) return;
  check_open();
  store_->set_status(status);
  note(status, message);
  store_.reset();
  lock_.reset();
}

bool Recorder::is_owner() const {
  return ::getpid() == owner_;
}

void Recorder::check_open() const {
  if (!lock_) throw InputError(folder_.string() + ": the recorder is closed");
  if (!is_owner()) {
    throw InputError(folder_.string() + ": only process " + std::to_string(owner_) +
                     ", which opened the recorder, can write this run");
  }
  lock_->check();
}

}  // namespace gradus
