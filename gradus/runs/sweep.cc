// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/sweep.h"

#include <algorithm>
#include <chrono>

#include "gradus/core/error.h"
#include "gradus/runs/find_runs.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Whether the folder already contains this run. Throws InputError if it contains another one.
bool holds_run(const fs::path& folder, const SweepRun& run) {
  if (!fs::exists(config_file(folder))) return false;
  RunSettings stored;
  load_settings(config_file(folder), stored);
  RunSettings wanted = run.settings;
  const auto before = settings_of(stored);
  const auto now = settings_of(wanted);
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (value_text(before[i]) == value_text(now[i])) continue;
    throw InputError(folder.string() + ": contains a run with " + now[i].key + " = " +
                     value_text(before[i]) + ", but the sweep has " + value_text(now[i]) +
                     "; choose another folder");
  }
  return true;
}

RunStatus first_status(const fs::path& folder, const SweepRun& run) {
  RunStatus status;
  status.name = run.name;
  status.total_steps = run.settings.steps;
  if (!holds_run(folder, run)) return status;
  // A run that cannot be read fails when it is resumed, and does not stop the others.
  const RunRecord record = read_found(folder).run;
  if (!record.metrics.empty()) status.metrics = record.metrics.back();
  status.steps = status.metrics.steps;
  status.unit = loss_unit(record.units, record.target);
  if (record.status == "finished") status.state = RunState::kFinished;
  return status;
}

}  // namespace

Sweep::Sweep(std::vector<SweepRun> runs, fs::path folder, int jobs, int threads)
    : runs_(std::move(runs)), folder_(std::move(folder)) {
  if (jobs < 1) throw InputError("jobs is " + std::to_string(jobs) + ", expected 1 or more");
  for (const SweepRun& run : runs_) status_.push_back(first_status(folder_ / run.name, run));
  const int workers = static_cast<int>(std::min<std::size_t>(jobs, runs_.size()));
  workers_left_ = workers;
  options_.threads = threads;
  options_.gpu_networks = std::make_shared<std::atomic<int>>(0);
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
    const std::size_t run = next_++;
    if (run >= runs_.size()) break;
    RunState state = RunState::kWaiting;
    update(run, [&](const RunStatus& status) { state = status.state; });
    if (state != RunState::kFinished) train(run);
  }
  --workers_left_;
}

void Sweep::train(std::size_t run) {
  const fs::path folder = folder_ / runs_[run].name;
  update(run, [](RunStatus& status) { status.state = RunState::kRunning; });
  TrainingOptions options = options_;
  options.say = [&](const std::string& warning) {
    update(run, [&](RunStatus& status) { status.warning = warning; });
  };
  std::unique_ptr<Training> training;
  try {
    training = fs::exists(config_file(folder))
                   ? Training::resume(folder, options)
                   : Training::start(runs_[run].settings, folder, options);
    auto shown = Clock::now();
    while (!training->finished() && !stop_) {
      const bool evaluated = training->advance();
      if (!evaluated && Clock::now() - shown < std::chrono::milliseconds(200)) continue;
      show(run, *training);
      shown = Clock::now();
    }
    if (!training->finished()) training->stop();
    const bool finished = training->finished();
    update(run, [&](RunStatus& status) {
      status.state = finished ? RunState::kFinished : RunState::kStopped;
    });
  } catch (const std::exception& error) {
    if (training) training->fail(error.what());
    update(run, [&](RunStatus& status) {
      status.state = RunState::kFailed;
      status.message = error.what();
    });
  }
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
