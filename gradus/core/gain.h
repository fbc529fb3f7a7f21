// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string_view>

namespace gradus {

/// Which task a gain's second sample x' is drawn from.
enum class Probe { kNone, kSameTask, kTargetTask, kRandomTask };

/// What a gain needs measured around one training step on x, which updates theta to theta'. The
/// loss on x before the step, L(x, theta), is always measured, since training computes it.
struct Needs {
  bool loss_after = false;            ///< L(x, theta')
  Probe probe = Probe::kNone;         ///< L(x', theta) and L(x', theta')
  bool gradient_norm = false;         ///< |grad L|^2 of the data loss, over all trained parameters
  bool weights_dot_gradient = false;  ///< theta . grad L
  bool weight_norm = false;           ///< |theta|^2 before and after
  bool kl = false;                    ///< KL(posterior | prior) before and after, nats
  bool kl_dot_gradient = false;       ///< grad KL . grad L, over all trained parameters
  bool operator==(const Needs&) const = default;
};

/// What a learner measured. Values that were not asked for are NaN, so a gain that reads more than
/// it asked for yields NaN, which the syllabus refuses. Losses are in nats: summed over the scored
/// outputs of a sequence, averaged over the sequences of the batch.
struct Measurements {
  static constexpr double kUnmeasured = std::numeric_limits<double>::quiet_NaN();
  double loss_before = kUnmeasured;
  double loss_after = kUnmeasured;
  double probe_before = kUnmeasured;
  double probe_after = kUnmeasured;
  double gradient_norm = kUnmeasured;
  double weights_dot_gradient = kUnmeasured;
  double weight_norm_before = kUnmeasured;
  double weight_norm_after = kUnmeasured;
  double kl_before = kUnmeasured;
  double kl_after = kUnmeasured;
  double kl_dot_gradient = kUnmeasured;
};

/// A learning-progress signal (paper, section 3). Says what must be measured and maps the
/// measurements to progress. Stateless.
class Gain {
 public:
  virtual ~Gain() = default;
  virtual std::string_view name() const = 0;
  virtual Needs needs() const = 0;
  virtual double progress(const Measurements& measured) const = 0;
};

}  // namespace gradus
