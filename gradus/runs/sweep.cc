// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/sweep.h"

#include <algorithm>
#include <chrono>

#include "gradus/core/error.h"
#include "gradus/nn/device.h"
#include "gradus/runs/find_runs.h"
#include "gradus/runs/run_reader.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Whether the folder already contains this run. Throws InputError if it contains another one.
bool holds_run(const fs::path& folder, const SweepRun& run) {
  if (!fs::exists(config_file(folder))) return false;
  RunSettings stored = stored_settings(folder);
  RunSettings wanted = run.settings;
  wanted.device = parse_device(wanted.device).kind();  // runs do not store the numbers of GPUs
  const auto differences = differing(stored, wanted);
  if (differences.empty()) return true;
  const auto& [before, now] = differences.front();
  throw InputError(folder.string() + ": contains a run with " + now.key + " = " +
                   value_text(before) + ", but the sweep has " + value_text(now) +
                   "; choose another folder");
}

void read_status(const fs::path& folder, RunStatus& status) {
  // A run that cannot be read fails when it is resumed, and does not stop the others.
  const RunRecord record = read_found(folder).run;
  if (!record.metrics.empty()) status.metrics = record.metrics.back();
  status.steps = status.metrics.steps;
  status.unit = loss_unit(record.units, record.target);
  if (record.status == "finished") status.state = RunState::kFinished;
  if (record.status == "failed") {
    status.state = RunState::kFailed;
    status.message = last_failure(folder);
  }
}

int last_number(const fs::path& folder) {
  const auto claim = last_claim(folder);
  return claim ? claim->number : 0;
}

bool was_claimed_by_this_job(const fs::path& folder) {
  const auto claim = last_claim(folder);
  return claim && !claim->job.empty() && claim->job == this_job();
}

RunStatus first_status(const fs::path& folder, const SweepRun& run) {
  RunStatus status;
  status.name = run.name;
  status.total_steps = run.settings.steps;
  if (!holds_run(folder, run) || !fs::exists(database_file(folder))) return status;
  read_status(folder, status);
  if (status.state == RunState::kFailed && !was_claimed_by_this_job(folder)) {
    status.state = RunState::kWaiting;
  }
  return status;
}

}  // namespace

Sweep::Sweep(std::vector<SweepRun> runs, fs::path folder, const Options& options)
    : runs_(std::move(runs)), folder_(std::move(folder)) {
  if (options.jobs < 1) {
    throw InputError("jobs is " + std::to_string(options.jobs) + ", expected 1 or more");
  }
  for (const SweepRun& run : runs_) {
    status_.push_back(first_status(folder_ / run.name, run));
    claims_.push_back({last_number(folder_ / run.name), 0});
  }
  const int workers = static_cast<int>(std::min<std::size_t>(options.jobs, runs_.size()));
  workers_left_ = workers;
  options_.threads = options.threads;
  options_.lease = options.lease;
  options_.gpus = std::make_shared<GpuPool>();
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  options_.cores = std::max(1, cores / std::max(1, workers));
  for (int i = 0; i < workers; ++i) workers_.emplace_back([this] { work(); });
}

Sweep::~Sweep() {
  stop();
}

std::vector<RunStatus> Sweep::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

template <typename Change>
void Sweep::update(std::size_t run, Change change) {
  const std::lock_guard lock(mutex_);
  change(status_[run]);
}

void Sweep::work() {
  while (!stop_) {
    if (const auto run = take()) {
      train(*run);
    } else if (watch_others()) {
      // Poll a few times per sign of life, but spare a shared disk.
      const auto pause = std::min(options_.lease / 20, std::chrono::duration<double>(3));
      const auto until = Clock::now() + pause;
      while (!stop_ && Clock::now() < until) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
    } else {
      break;
    }
  }
  --workers_left_;
}

std::optional<std::size_t> Sweep::take() {
  const std::lock_guard lock(mutex_);
  const auto waiting = std::ranges::find(status_, RunState::kWaiting, &RunStatus::state);
  if (waiting == status_.end()) return {};
  waiting->state = RunState::kRunning;
  return waiting - status_.begin();
}

void Sweep::train(std::size_t run) {
  std::unique_ptr<Training> training;
  try {
    if (done_elsewhere(run)) return;
    training = open(run);
    advance(run, *training);
  } catch (const std::exception& error) {
    const bool taken = dynamic_cast<const RunTaken*>(&error) || (training && training->taken());
    if (training && !taken) training->fail(error.what());
    update(run, [&](RunStatus& status) {
      status.state = taken ? RunState::kElsewhere : RunState::kFailed;
      status.message = error.what();
    });
  }
}

// Whether another process has finished the run, or has failed to since this sweep started.
bool Sweep::done_elsewhere(std::size_t run) {
  const fs::path folder = folder_ / runs_[run].name;
  if (!fs::exists(database_file(folder))) return false;
  RunStatus now;
  read_status(folder, now);
  const bool failed =
      now.state == RunState::kFailed && last_number(folder) != claims_[run].at_start;
  if (now.state != RunState::kFinished && !failed) return false;
  update(run, [&](RunStatus& status) {
    now.name = status.name;
    now.total_steps = status.total_steps;
    status = now;
  });
  return true;
}

std::unique_ptr<Training> Sweep::open(std::size_t run) {
  TrainingOptions options = options_;
  options.note = [this, run](const std::string& warning) {
    update(run, [&](RunStatus& status) { status.warning = warning; });
  };
  {
    const std::lock_guard lock(watch_mutex_);
    options.dead_claim = claims_[run].dead;
  }
  const fs::path folder = folder_ / runs_[run].name;
  const std::string& device = runs_[run].settings.device;
  const auto resume = [&] {
    std::vector<std::string> changes;
    if (!parse_device(device).gpus.empty()) changes.push_back("device=" + device);
    return Training::resume(folder, options, changes);
  };
  if (fs::exists(config_file(folder))) return resume();
  try {
    return Training::start(runs_[run].settings, folder, options);
  } catch (const RunTaken&) {
    throw;
  } catch (const InputError&) {
    // Another process may have started the run at the same moment.
    if (!fs::exists(config_file(folder))) throw;
    return resume();
  }
}

void Sweep::advance(std::size_t run, Training& training) {
  auto shown = Clock::now();
  while (!training.finished() && !stop_) {
    const bool evaluated = training.advance();
    if (!evaluated && Clock::now() - shown < std::chrono::milliseconds(200)) continue;
    show(run, training);
    shown = Clock::now();
  }
  if (!training.finished()) training.stop();
  update(run, [&](RunStatus& status) {
    status.state = training.finished() ? RunState::kFinished : RunState::kStopped;
  });
}

// Looks at the runs of other processes. Returns whether one of them may be left to this process.
bool Sweep::watch_others() {
  const std::lock_guard lock(watch_mutex_);
  const std::vector<RunStatus> now = status();
  bool wait = false;
  for (std::size_t run = 0; run < now.size(); ++run) {
    if (now[run].state == RunState::kElsewhere && watch(run)) wait = true;
  }
  return wait;
}

bool Sweep::watch(std::size_t run) {
  if (done_elsewhere(run)) return false;
  const fs::path folder = folder_ / runs_[run].name;
  if (RunLock::is_held(folder)) {
    const auto claim = last_claim(folder);
    if (!claim) return true;
    // The operating system knows whether a process of this machine lives.
    if (claim->is_local()) return false;
    const ClaimWatch::Holder holder = watch_.look(folder, *claim);
    if (holder != ClaimWatch::Holder::kDead) return holder == ClaimWatch::Holder::kUnknown;
    claims_[run].dead = claim->number;
  }
  update(run, [](RunStatus& status) {
    status.state = RunState::kWaiting;
    status.message.clear();
  });
  return true;
}

void Sweep::show(std::size_t run, const Training& training) {
  const Runner& runner = training.runner();
  const double moved = distance_from_uniform(runner.syllabus().probabilities());
  update(run, [&](RunStatus& status) {
    status.steps = runner.steps();
    status.steps_per_second = training.steps_per_second();
    status.moved = moved;
    status.metrics = training.metrics();
    status.unit = loss_unit(runner.units(), runner.curriculum().target());
  });
}

}  // namespace gradus
