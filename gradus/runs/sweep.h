// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "gradus/runs/loss_unit.h"
#include "gradus/runs/sweep_grid.h"
#include "gradus/runs/training.h"

namespace gradus {

enum class RunState { kWaiting, kRunning, kStopped, kFinished, kFailed };

/// Progress of one run of a sweep.
struct RunStatus {
  std::string name;
  RunState state = RunState::kWaiting;
  std::int64_t steps = 0;
  std::int64_t total_steps = 0;
  double steps_per_second = 0;
  double moved = Metrics::kNone;  ///< distance of the policy from uniform; NaN if not known
  Metrics metrics;                ///< of the last evaluation
  LossUnit unit;                  ///< of the loss that is shown
  std::string message;            ///< why it failed
  std::string warning;            ///< the last one; empty if there was none
};

/// Trains the runs of a sweep, several at a time, each in its own subfolder of `folder`. A run that
/// exists is resumed, a finished one is skipped, and a failed one does not affect the others.
class Sweep {
 public:
  /// Starts `jobs` workers, or fewer if there are fewer runs. Each run uses `threads` threads.
  /// Throws InputError if jobs < 1, or if a run's folder contains a run with other settings.
  Sweep(std::vector<SweepRun> runs, std::filesystem::path folder, int jobs, int threads);
  /// Calls stop() and waits for the workers.
  ~Sweep();

  /// Current progress of all runs, in the order given. Thread-safe.
  std::vector<RunStatus> status() const;
  /// Whether all workers have ended: every run has finished or failed, or stop() was called.
  bool over() const { return workers_left_ == 0; }
  /// Asks the workers to save their runs and stop. Does not wait.
  void stop() { stop_ = true; }

 private:
  void work();
  void train(std::size_t run);
  void show(std::size_t run, const Training& training);
  template <typename Change>
  void update(std::size_t run, Change change);

  std::vector<SweepRun> runs_;
  std::filesystem::path folder_;
  TrainingOptions options_;
  std::atomic<bool> stop_ = false;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<int> workers_left_;
  mutable std::mutex mutex_;
  std::vector<RunStatus> status_;  // guarded by mutex_
  std::vector<std::jthread> workers_;
};

}  // namespace gradus
