// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gradus/core/curriculum.h"
#include "gradus/core/learner.h"
#include "gradus/core/syllabus.h"
#include "gradus/core/teacher.h"
#include "gradus/nn/gpu_pool.h"
#include "gradus/runs/checkpoints.h"
#include "gradus/runs/frontier.h"
#include "gradus/runs/metrics.h"
#include "gradus/runs/settings.h"
#include "gradus/runs/stop_rule.h"

namespace gradus {

/// Makes the learner from its settings. On a GPU, it takes a place from `gpus`; null means that it
/// is the only network of this process. Throws InputError if settings are inconsistent.
std::unique_ptr<Learner> make_learner(const RunSettings& settings, const Curriculum& curriculum,
                                      int threads, GpuPool* gpus = nullptr);

/// Evaluates `sequences` held-out sequences of a task, in batches of at most kHeldOutBatch. The
/// stream of the first batch has the index `first`, that of the next one first + 1, and so on.
Evaluation evaluate_held_out(const Curriculum& curriculum, int task, std::int64_t sequences,
                             std::uint64_t seed, std::uint64_t first,
                             const std::function<Evaluation(const Batch&)>& evaluate);
inline constexpr std::int64_t kHeldOutBatch = 64;

/// One training run: everything that its settings describe, and the loop around the teacher.
class Runner {
 public:
  /// Uses `threads` of the `cores` that the run may use; 0 means all cores of the machine.
  /// `gpus` is as in make_learner(). Throws InputError if settings are inconsistent.
  Runner(const RunSettings& settings, int threads, int cores = 0, GpuPool* gpus = nullptr);
  ~Runner();

  /// The settings given to the constructor, but without the numbers of GPUs: the run may continue
  /// on others.
  const RunSettings& settings() const { return settings_; }
  const Curriculum& curriculum() const { return *curriculum_; }
  const Syllabus& syllabus() const { return *syllabus_; }
  /// Says which eta was chosen and for what. Empty if the settings give an eta or the policy does
  /// not use one.
  const std::string& eta_note() const { return eta_note_; }
  /// Curriculum::unit() of each task.
  std::vector<std::string> units() const;
  /// Warnings for the user, known before the run starts.
  const std::vector<std::string>& warnings() const { return warnings_; }

  std::int64_t steps() const { return steps_; }
  bool finished() const { return steps_ >= settings_.steps || stop_.reached(steps_); }
  /// True at the start, after every evaluation interval, and at the end.
  bool evaluation_due() const {
    return steps_ >= next_evaluation_ || (finished() && !evaluated_last_);
  }

  /// One round of Algorithm 1. Throws std::runtime_error if a reward is refused, unless
  /// syllabus.bad_reward is "skip".
  Lesson teach();
  Metrics evaluate();
  /// Mean loss of the batches since the last evaluation, in nats per output; NaN if there are none.
  double training_loss() const;
  /// Updates that the learner repeated because half precision overflowed (core/learner.h).
  std::int64_t repeated_updates() const { return learner_->vitals().repeated_updates; }
  /// Results of the last evaluation, by task.
  const TaskMetrics& task_metrics() const { return task_metrics_; }

  /// The whole mutable state of the run. restore() continues exactly from there, provided that any
  /// evaluation due was done before save(). If the saved run had ended but this one has more steps,
  /// restore() takes back the evaluation at the end, as if the run had had more steps from the
  /// start. It throws InputError if the state belongs to another run.
  Checkpoint save() const;
  void restore(const Checkpoint& checkpoint);
  /// Whether restore() took back the last evaluation, whose metrics must then be discarded.
  bool took_back_the_end() const { return last_gradient_norm_.has_value(); }

  /// Evaluates one task on held-out sequences, which are different in every evaluation. A pure
  /// function of the weights, seed, task and `evaluation`, the number of evaluations before this
  /// one.
  Evaluation evaluate_task(int task, std::int64_t evaluation) const;

 private:
  void start_syllabus();
  nlohmann::json save_counts() const;
  void restore_counts(const nlohmann::json& counts);
  bool all_tasks_due() const;
  void evaluate_target(Metrics& metrics);
  void evaluate_tasks(Metrics& metrics);
  void evaluate_into_task_metrics(int task);
  void keep_if_best(const Metrics& metrics);

  RunSettings settings_;
  std::vector<std::string> warnings_;
  std::string eta_note_;
  std::unique_ptr<Curriculum> curriculum_;
  std::unique_ptr<Gain> gain_;
  std::unique_ptr<Syllabus> syllabus_;
  std::optional<Frontier> frontier_;  // if the gain is "frontier"
  std::unique_ptr<Learner> learner_;
  std::unique_ptr<Teacher> teacher_;

  std::int64_t steps_ = 0;
  std::int64_t rounds_ = 0;
  std::int64_t refused_ = 0;
  std::int64_t evaluations_ = 0;
  StopRule stop_;
  std::int64_t next_evaluation_ = 0;
  std::int64_t next_all_tasks_ = 0;
  bool evaluated_last_ = false;
  // Counts before the evaluation at the end of the run; null before that.
  nlohmann::json before_end_;
  // Of the last update, if restore() took back the evaluation after it: the learner does not know.
  std::optional<double> last_gradient_norm_;
  // The lowest held-out loss so far, and the network that had it if this process measured it.
  double best_loss_ = std::numeric_limits<double>::infinity();
  std::shared_ptr<const NetworkAt> best_;
  TaskMetrics task_metrics_;
  // Sums and counts since the last evaluation.
  double loss_sum_ = 0;
  std::int64_t loss_outputs_ = 0;
  double raw_reward_sum_ = 0;
  double reward_sum_ = 0;
  std::int64_t rewards_ = 0;
};

}  // namespace gradus
