// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace gradus {

/// Where a gain's second sample x' is drawn from.
enum class Probe {
  kNone,
  kSameTask,
  kHeldOut,  ///< held-out data of the same task
  kTargetTask,
  kRandomTask,
};

/// What a gain needs measured around one training step on x, which updates theta to theta'.
struct Needs {
  bool loss_before = false;           ///< L(x, theta); training computes it anyway
  bool loss_after = false;            ///< L(x, theta')
  bool answers_right = false;         ///< share of the answers of x that theta gets right
  Probe probe = Probe::kNone;         ///< L(x', theta)
  bool probe_after = false;           ///< L(x', theta'); needs a probe
  int probe_divisor = 1;              ///< x' has the number of sequences of x, divided by this
  bool probe_dot_gradient = false;    ///< grad L(x', theta) . grad L(x, theta); needs a probe
  bool gradient_norm = false;         ///< |grad L|^2 of the data loss, over all trained parameters
  bool weights_dot_gradient = false;  ///< theta . grad L
  bool weight_norm = false;           ///< |theta|^2 before and after
  bool kl = false;                    ///< KL(posterior | prior) before and after, nats
  bool kl_dot_gradient = false;       ///< grad KL . grad L, over all trained parameters
  bool operator==(const Needs&) const = default;
};

/// The names of the bool members of Needs, in order. Code that treats all of them alike reads this.
struct NeedsField {
  const char* name;
  bool Needs::*value;
};
inline constexpr NeedsField kNeedsFields[] = {
    {"loss_before", &Needs::loss_before},
    {"loss_after", &Needs::loss_after},
    {"answers_right", &Needs::answers_right},
    {"probe_after", &Needs::probe_after},
    {"probe_dot_gradient", &Needs::probe_dot_gradient},
    {"gradient_norm", &Needs::gradient_norm},
    {"weights_dot_gradient", &Needs::weights_dot_gradient},
    {"weight_norm", &Needs::weight_norm},
    {"kl", &Needs::kl},
    {"kl_dot_gradient", &Needs::kl_dot_gradient},
};

/// What a learner measured. Values that were not asked for are NaN, except that a learner may
/// always return loss_before. So a gain that reads more than it asked for yields NaN, which the
/// syllabus refuses. Losses are in nats: summed over the scored outputs of a sequence, averaged
/// over the sequences of the batch.
struct Measurements {
  static constexpr double kUnmeasured = std::numeric_limits<double>::quiet_NaN();
  double loss_before = kUnmeasured;
  double loss_after = kUnmeasured;
  double outputs = kUnmeasured;  ///< scored outputs per sequence of x; the teacher fills it in
  double answers_right = kUnmeasured;
  double probe_before = kUnmeasured;
  double probe_after = kUnmeasured;
  double probe_dot_gradient = kUnmeasured;
  double gradient_norm = kUnmeasured;
  double weights_dot_gradient = kUnmeasured;
  double weight_norm_before = kUnmeasured;
  double weight_norm_after = kUnmeasured;
  double kl_before = kUnmeasured;
  double kl_after = kUnmeasured;
  double kl_dot_gradient = kUnmeasured;
};

/// A learning-progress signal (paper, section 3). Says what must be measured and maps the
/// measurements to progress. A gain may remember earlier measurements of a task, by the task's
/// name, so that adding and removing other tasks does not matter.
class Gain {
 public:
  virtual ~Gain() = default;
  virtual std::string_view name() const = 0;
  virtual Needs needs() const = 0;
  /// The progress of a training step on `task`. Steps of a task must come in their order. A gain
  /// that remembers does not remember measurements that are not finite; its progress is then NaN.
  virtual double progress(const std::string& task, const Measurements& measured) = 0;
  /// The number of signals in this gain, and the progress by each, instead of progress(), which
  /// returns the first.
  virtual int signals() const { return 1; }
  virtual std::vector<double> progress_by_signal(const std::string& task,
                                                 const Measurements& measured) {
    return {progress(task, measured)};
  }
  /// Forgets what it remembers of `task`, for example because the task was removed for good.
  virtual void forget(const std::string& /*task*/) {}

  /// What the gain remembers. restore() continues exactly from there. It throws InputError, and
  /// changes nothing, if `saved` belongs to another gain, other settings or a newer version. Gains
  /// without memory also take null, which older versions saved.
  nlohmann::json save() const;
  void restore(const nlohmann::json& saved);

 private:
  /// The memory as JSON, with the settings that it depends on. Null for a gain without memory.
  virtual nlohmann::json memory() const;
  /// Takes the result of memory(). Throws InputError, and changes nothing, if it does not fit.
  virtual void set_memory(const nlohmann::json& memory);
};

}  // namespace gradus
