// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "gradus/core/curriculum.h"
#include "gradus/runs/checkpoints.h"
#include "gradus/runs/reward_log.h"
#include "gradus/runs/run_clock.h"
#include "gradus/runs/run_folder.h"
#include "gradus/runs/run_lock.h"
#include "gradus/runs/run_store.h"
#include "gradus/runs/runner.h"

namespace gradus {

struct TrainingOptions {
  int threads = 1;
  Note note = [](const std::string&) {};
  int cores = 0;                  ///< cores that the run may use; 0 means all cores of the machine
  std::shared_ptr<GpuPool> gpus;  ///< of all runs of this process; null if there is one
  int dead_claim = 0;             ///< number of a claim on the run whose holder is known to be dead
  std::chrono::duration<double> lease = kLease;
};

/// The default folder of a new run: runs/CURRICULUM-GAIN-SEED, or if that exists, the first free
/// name with .2, .3, ... appended.
std::filesystem::path free_run_folder(const RunSettings& settings);

/// A run and its folder, which contains everything: config.toml, run.db, checkpoints/ and, with
/// syllabus.log, rewards.csv. However the process ends, resume() continues from the last
/// checkpoint, and the results are identical to the bit.
class Training {
 public:
  /// Starts a new run. Throws InputError if the settings are inconsistent or the folder is not
  /// empty; it then leaves the folder unchanged.
  static std::unique_ptr<Training> start(const RunSettings& settings,
                                         const std::filesystem::path& folder,
                                         const TrainingOptions& options);
  /// Continues the run in `folder` from its last undamaged checkpoint, or from the start if it was
  /// killed before the first one. `changes` are as in changed_settings(). Throws InputError, and
  /// leaves the folder unchanged, if there is no run, another process is training it, or
  /// check_resumable() refuses it.
  static std::unique_ptr<Training> resume(const std::filesystem::path& folder,
                                          const TrainingOptions& options,
                                          const std::vector<std::string>& changes = {});
  /// Removes everything that the run in `folder` has stored except its config, says what that was,
  /// and starts the run again.
  static std::unique_ptr<Training> restart(const std::filesystem::path& folder,
                                           const TrainingOptions& options,
                                           const std::vector<std::string>& changes = {});

  const Runner& runner() const { return *runner_; }
  const std::filesystem::path& folder() const { return folder_; }
  bool finished() const { return finished_; }
  /// Metrics of the last evaluation.
  const Metrics& metrics() const { return metrics_; }
  /// Mean over the time since this process started or resumed the run.
  double steps_per_second() const { return clock_.steps_per_second(runner_->steps()); }
  /// Steps of the last checkpoint, or -1 if there is none.
  std::int64_t saved_steps() const { return saved_steps_; }

  /// Does an evaluation if one is due; otherwise trains on one batch, after saving a checkpoint if
  /// one is due. Returns whether it evaluated. REQUIRES !finished().
  bool advance();
  /// Does an evaluation if one is due, saves a checkpoint, and stores the status "stopped", or
  /// "finished" if only that evaluation was missing.
  void stop();
  /// Whether another process took the run over because this one gave no sign of life. Then this
  /// one may fail in many ways: the other removes old checkpoints, for example.
  bool taken() const noexcept;
  /// Stores the status "failed" with `reason`, if possible.
  void fail(const std::string& reason) noexcept;

 private:
  using Clock = std::chrono::steady_clock;

  Training(const std::filesystem::path& folder, std::unique_ptr<RunLock> lock,
           std::unique_ptr<Runner> runner, const TrainingOptions& options);
  void begin();
  void go_back_to(const std::optional<Checkpoint>& checkpoint);
  void open_reward_log();
  void teach();
  void note(const std::string& kind, const std::string& message);
  void evaluate();
  void warn_if_exploded();
  void save();
  void finish();
  std::string repeats_text() const;

  std::filesystem::path folder_;
  std::unique_ptr<RunLock> lock_;
  std::unique_ptr<Runner> runner_;
  RunStore store_;
  Checkpoints checkpoints_;
  std::optional<RewardLog> reward_log_;
  TrainingOptions options_;
  Metrics metrics_;
  bool finished_ = false;
  bool exploded_ = false;
  std::int64_t saved_steps_ = -1;

  RunClock clock_;
  Clock::time_point last_save_ = Clock::now();
};

}  // namespace gradus
