// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gradus/runs/loss_unit.h"
#include "gradus/runs/sweep_grid.h"
#include "gradus/runs/training.h"

namespace gradus {

/// kElsewhere: another process is working on the run.
enum class RunState { kWaiting, kRunning, kElsewhere, kStopped, kFinished, kFailed };

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
  std::string message;            ///< why it failed, or who is working on it
  std::string warning;            ///< the last one; empty if there was none
};

/// Trains the runs of a sweep, several at a time, each in its own subfolder of `folder`. A run that
/// exists is resumed, a finished one is skipped, and a failed one does not affect the others.
///
/// Any number of processes on any hosts may do the same sweep in the same folder. Each run is
/// trained by one of them. If that one dies, another continues the run after the lease. A run that
/// failed is tried again, unless it failed after this sweep started or in the same job of Slurm.
class Sweep {
 public:
  struct Options {
    int jobs = 1;     ///< runs at a time
    int threads = 1;  ///< per run
    std::chrono::duration<double> lease = kLease;
  };
  /// Starts the workers. Throws InputError if jobs < 1, or if a run's folder contains a run with
  /// other settings.
  Sweep(std::vector<SweepRun> runs, std::filesystem::path folder, const Options& options);
  /// Calls stop() and waits for the workers.
  ~Sweep();

  /// Current progress of all runs, in the order given. Thread-safe.
  std::vector<RunStatus> status() const;
  /// Whether all workers have ended: every run has finished, failed, or has a living process
  /// elsewhere, or stop() was called.
  bool over() const { return workers_left_ == 0; }
  /// Asks the workers to save their runs and stop. Does not wait.
  void stop() { stop_ = true; }

 private:
  /// What this sweep knows of the claims on a run.
  struct Claims {
    int at_start = 0;  // the last one when the sweep started
    int dead = 0;      // the last one whose holder is dead
  };

  void work();
  std::optional<std::size_t> take();
  void train(std::size_t run);
  std::unique_ptr<Training> open(std::size_t run);
  void advance(std::size_t run, Training& training);
  bool done_elsewhere(std::size_t run);
  bool watch_others();
  bool watch(std::size_t run);
  void show(std::size_t run, const Training& training);
  template <typename Change>
  void update(std::size_t run, Change change);

  std::vector<SweepRun> runs_;
  std::filesystem::path folder_;
  TrainingOptions options_;
  std::atomic<bool> stop_ = false;
  std::atomic<int> workers_left_;
  mutable std::mutex mutex_;
  std::vector<RunStatus> status_;  // guarded by mutex_
  std::mutex watch_mutex_;
  ClaimWatch watch_;            // guarded by watch_mutex_
  std::vector<Claims> claims_;  // `dead` is guarded by watch_mutex_
  std::vector<std::jthread> workers_;
};

}  // namespace gradus
