// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "gradus/runs/run_clock.h"
#include "gradus/runs/run_lock.h"
#include "gradus/runs/run_store.h"

namespace gradus {

/// What stays the same over a run that another program trains. Reports group runs by the settings
/// "curriculum", "gain", "seed" (a whole number) and "policy"; "steps" is how long the run is to
/// be, if that is known.
struct RecordedRun {
  std::map<std::string, std::string> settings;
  std::vector<std::string> tasks;
  std::string target;          ///< a task, or empty
  std::string measure;         ///< as CurriculumDescription::measure
  std::string store = "auto";  ///< as the setting of that name
};

/// An evaluation, with a value for each of `tasks`. These need not be the tasks that the run began
/// with: one that is new is added, one that is gone has the probability 0.
struct RecordedEvaluation {
  std::vector<std::string> tasks;
  std::vector<double> policy;
  std::vector<double> loss;   ///< NaN if the task was not evaluated
  std::vector<double> error;  ///< the same
};

/// Writes the folder of a run that another program trains, so that reports and the live page show
/// it like our own. The folder has no config.toml and no checkpoints: only the other program can
/// continue the run.
class Recorder {
 public:
  /// Starts a run in a new or empty folder. With `resume_at`, continues the run in the folder from
  /// a checkpoint of the other program at so many steps, and deletes the evaluations after it; 0
  /// also starts a run if there is none. Throws InputError, and leaves the folder unchanged, if it
  /// contains another run or another process works on it.
  Recorder(const std::filesystem::path& folder, const RecordedRun& run,
           std::optional<std::int64_t> resume_at = {});
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  /// Stores the status "stopped", unless the recorder is closed.
  ~Recorder();

  /// Stores an evaluation. Fills in what is NaN in `metrics` and follows from `tasks`: the entropy,
  /// the target's loss and error, and the means over tasks. Returns what was stored. Throws
  /// InputError if `metrics.steps` is not above those of the last evaluation.
  Metrics add(Metrics metrics, const RecordedEvaluation& tasks);
  /// Stores an event at the steps of the last evaluation.
  void note(const std::string& kind, const std::string& message);
  /// Stores the status, "finished", "stopped" or "failed", with an event, and releases the folder.
  /// Does nothing if the recorder is closed.
  void close(const std::string& status, const std::string& message = "");

  /// Steps of the last evaluation, or those of the checkpoint that the run continues from.
  std::int64_t steps() const { return std::max<std::int64_t>(steps_, 0); }
  /// False in a child process that was forked from the one that writes the run.
  bool is_owner() const;

 private:
  void start(const RecordedRun& run);
  void resume(const RecordedRun& run, std::int64_t steps);
  void open_store(const std::string& kind);
  std::vector<std::size_t> places_of(const std::vector<std::string>& tasks);
  void check_open() const;

  std::filesystem::path folder_;
  std::string target_;
  std::vector<std::string> tasks_;
  std::unique_ptr<RunLock> lock_;  // null if closed
  std::unique_ptr<RunStore> store_;
  RunClock clock_;
  std::int64_t steps_ = -1;
  pid_t owner_;
};

}  // namespace gradus
