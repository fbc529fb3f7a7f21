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

/// How one run of a sweep is getting on.
struct RunStatus {
  std::string name;
  RunState state = RunState::kWaiting;
  std::int64_t steps = 0;
  std::int64_t total_steps = 0;
  double steps_per_second = 0;
  double entropy = 0;
  Metrics metrics;      ///< of the last evaluation
  LossUnit unit;        ///< in which its loss is shown
  std::string message;  ///< why it failed
};

/// Trains the runs of a sweep, each in a folder of its own below one folder, several at a time. A
/// run that is there already goes on where it was; one that has finished is left alone; one that
/// fails does not touch the others.
class Sweep {
 public:
  /// Throws InputError where a run's folder holds a run with other settings.
  Sweep(std::vector<SweepRun> runs, std::filesystem::path folder, int jobs, int threads);
  /// Stops and waits.
  ~Sweep();

  /// How all runs are getting on now.
  std::vector<RunStatus> status() const;
  /// Whether no run is waiting or running.
  bool over() const { return workers_left_ == 0; }
  /// Asks the workers to save their runs and stop.
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
