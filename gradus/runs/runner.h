#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gradus/core/curriculum.h"
#include "gradus/core/learner.h"
#include "gradus/core/syllabus.h"
#include "gradus/core/teacher.h"
#include "gradus/runs/checkpoints.h"
#include "gradus/runs/metrics.h"
#include "gradus/runs/settings.h"

namespace gradus {

/// Makes a curriculum from its settings, and tells `note` what a user should know though it is no
/// failure. Throws InputError for an unknown name.
std::unique_ptr<Curriculum> make_curriculum(const RunSettings& settings,
                                            std::function<void(const std::string&)> note = nullptr);

/// Makes the network and its training from their settings. Throws InputError where they do not fit.
std::unique_ptr<Learner> make_learner(const RunSettings& settings, const Curriculum& curriculum,
                                      int threads);

struct CurriculumEntry {
  std::string name;
  std::string table;  ///< of its settings
  std::string summary;
  std::vector<std::string> defaults = {};  ///< key=value, in place of the program's defaults
};
const std::vector<CurriculumEntry>& curriculum_list();

/// One training run: everything made from its settings, and the loop around the teacher.
class Runner {
 public:
  /// Works with `threads` of the `cores` that it may count on; 0 stands for the machine's. Throws
  /// InputError where settings do not fit together.
  Runner(const RunSettings& settings, int threads, int cores = 0);
  ~Runner();

  const RunSettings& settings() const { return settings_; }
  const Curriculum& curriculum() const { return *curriculum_; }
  const Syllabus& syllabus() const { return *syllabus_; }
  /// The eta that was chosen for the run and why, if the policy reads one and it is automatic.
  const std::string& eta_note() const { return eta_note_; }
  /// Curriculum::unit() of each task.
  std::vector<std::string> units() const;
  /// What the user should know before the run starts.
  const std::vector<std::string>& warnings() const { return warnings_; }

  std::int64_t steps() const { return steps_; }
  bool finished() const { return steps_ >= settings_.steps || solved(); }
  /// True at the start, each time another interval has passed, and at the end.
  bool evaluation_due() const {
    return steps_ >= next_evaluation_ || (finished() && !evaluated_last_);
  }

  /// One round of Algorithm 1. Throws std::runtime_error where a reward is refused, unless refused
  /// ones are to be skipped.
  void teach();
  Metrics evaluate();
  /// Updates that the learner did again because half precision overflowed (core/learner.h).
  std::int64_t repeated_updates() const { return learner_->vitals().repeated_updates; }
  /// What the last evaluation found for each task.
  const TaskMetrics& task_metrics() const { return task_metrics_; }

  /// All that changes in a run. restore() continues exactly from there, once whatever evaluation
  /// was due has been made; it throws InputError where the state is of another run.
  Checkpoint save() const;
  void restore(const Checkpoint& checkpoint);

  /// Held-out sequences of one task, drawn anew for every evaluation: a pure function of seed, task
  /// and `evaluation`, the number of evaluations before it.
  Evaluation evaluate_task(int task, std::int64_t evaluation) const;

 private:
  std::unique_ptr<Policy> make_run_policy();
  void make_syllabus();
  bool solved() const;
  bool all_tasks_due() const;
  void evaluate_target(Metrics& metrics);
  void evaluate_tasks(Metrics& metrics);
  void evaluate_into_task_metrics(int task);

  RunSettings settings_;
  std::vector<std::string> warnings_;
  std::string eta_note_;
  std::unique_ptr<Curriculum> curriculum_;
  std::unique_ptr<Gain> gain_;
  std::unique_ptr<Syllabus> syllabus_;
  std::unique_ptr<Learner> learner_;
  std::unique_ptr<Teacher> teacher_;

  std::int64_t steps_ = 0;
  std::int64_t rounds_ = 0;
  std::int64_t refused_ = 0;
  std::int64_t evaluations_ = 0;
  // Steps since when every evaluation of the target has been below stop.target_loss.
  std::optional<std::int64_t> below_since_;
  std::int64_t next_evaluation_ = 0;
  std::int64_t next_all_tasks_ = 0;
  bool evaluated_last_ = false;
  TaskMetrics task_metrics_;
  // Since the last evaluation.
  double loss_sum_ = 0;
  std::int64_t loss_outputs_ = 0;
  double raw_reward_sum_ = 0;
  double reward_sum_ = 0;
  std::int64_t rewards_ = 0;
};

}  // namespace gradus
