#pragma once

#include <limits>
#include <string_view>

namespace gradus {

/// Where the second sample x' of a gain comes from.
enum class Probe { kNone, kSameTask, kTargetTask, kRandomTask };

/// What must be measured around one training step on x, which takes theta to theta'. The loss on x
/// before the step is always there, since training computes it.
struct Needs {
  bool loss_after = false;            ///< L(x, theta')
  Probe probe = Probe::kNone;         ///< L(x', theta) and L(x', theta')
  bool gradient_norm = false;         ///< |grad L|^2, of the data loss by what is trained
  bool weights_dot_gradient = false;  ///< theta . grad L
  bool weight_norm = false;           ///< |theta|^2 before and after
  bool kl = false;                    ///< KL(posterior | prior) before and after, nats
  bool kl_dot_gradient = false;       ///< grad KL . grad L, by all that is trained
  bool operator==(const Needs&) const = default;
};

/// What a learner measured. What was not asked for is NaN, so that a gain that reads more than it
/// asks for yields NaN, which the syllabus refuses. Losses are in nats: the mean over the sequences
/// of a batch of the sum over scored outputs.
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

/// A signal of learning progress (paper, section 3): says what it needs measured and maps the
/// measurements to progress. Stateless.
class Gain {
 public:
  virtual ~Gain() = default;
  virtual std::string_view name() const = 0;
  virtual Needs needs() const = 0;
  virtual double progress(const Measurements& measured) const = 0;
};

}  // namespace gradus
