#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "gradus/runs/checkpoints.h"
#include "gradus/runs/run_lock.h"
#include "gradus/runs/run_store.h"
#include "gradus/runs/runner.h"

namespace gradus {

struct TrainingOptions {
  int threads = 1;
  /// Told what a user should know though it is no failure.
  std::function<void(const std::string&)> say = [](const std::string&) {};
  int cores = 0;  ///< that the run may count on; 0 stands for the machine's
};

/// A run in its folder, which holds all of it: config.toml, run.db, checkpoints/. However its
/// process ends, resume() goes on from the last checkpoint and ends with the same bits.
class Training {
 public:
  /// A new run. Throws InputError where the settings do not fit together, or the folder is not
  /// empty; the folder is then as it was.
  static std::unique_ptr<Training> start(const RunSettings& settings,
                                         const std::filesystem::path& folder,
                                         const TrainingOptions& options);
  /// The run in `folder`, from its last whole checkpoint, or from its beginning where there is
  /// none. Throws InputError where there is no run or another process has it.
  static std::unique_ptr<Training> resume(const std::filesystem::path& folder,
                                          const TrainingOptions& options);

  const Runner& runner() const { return *runner_; }
  const std::filesystem::path& folder() const { return folder_; }
  bool finished() const { return finished_; }
  /// Of the last evaluation.
  const Metrics& metrics() const { return metrics_; }
  /// Since this process has the run.
  double steps_per_second() const;
  /// Steps of the last checkpoint, 0 where there is none.
  std::int64_t saved_steps() const { return saved_steps_; }

  /// Does what is due: an evaluation, or else a checkpoint and a batch. Returns whether it was an
  /// evaluation. REQUIRES !finished().
  bool advance();
  /// Saves and says in the store that the run was stopped, once an evaluation that is due was made.
  /// A run that had only that left to do is then finished.
  void stop();
  /// Says in the store, where it can, that the run failed.
  void fail(const std::string& reason) noexcept;

 private:
  using Clock = std::chrono::steady_clock;

  Training(const std::filesystem::path& folder, std::unique_ptr<RunLock> lock,
           std::unique_ptr<Runner> runner, const TrainingOptions& options);
  void go_back_to_checkpoint();
  void note(const std::string& kind, const std::string& message);
  void evaluate();
  void save();
  void finish();
  std::string repeats_text() const;
  double seconds() const;

  std::filesystem::path folder_;
  std::unique_ptr<RunLock> lock_;
  std::unique_ptr<Runner> runner_;
  RunStore store_;
  Checkpoints checkpoints_;
  TrainingOptions options_;
  Metrics metrics_;
  bool finished_ = false;
  std::int64_t saved_steps_ = 0;

  // The clock: work before this process, since when it runs, and where the last evaluation was.
  double seconds_before_ = 0;
  std::int64_t steps_before_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_save_ = start_;
  double evaluated_seconds_ = 0;
  std::int64_t evaluated_steps_ = 0;
};

/// Where the settings of the run in a folder are.
std::filesystem::path config_file(const std::filesystem::path& folder);

}  // namespace gradus
