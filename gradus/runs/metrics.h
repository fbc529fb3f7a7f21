#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace gradus {

/// What is known of a run at one evaluation. Losses of held-out sequences are in nats an output, an
/// output being one scored step. Errors are of tasks with answers; texts have none. What does not
/// apply is NaN. Means are over the rounds since the last evaluation.
struct Metrics {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::int64_t steps = 0;    ///< input steps trained on
  std::int64_t rounds = 0;   ///< batches trained on
  std::int64_t refused = 0;  ///< rewards refused and skipped so far
  double training_loss = kNone;
  double target_loss = kNone;
  double target_error = kNone;
  double mean_loss = kNone;
  double mean_error = kNone;
  double tasks_completed = kNone;
  double entropy = kNone;
  double complexity = kNone;
  double raw_reward = kNone;
  double reward = kNone;
  double reward_low = kNone;
  double reward_high = kNone;
  double gradient_norm = kNone;
  double weight_norm = kNone;
};

/// One of the numbers of a Metrics, as files and figures call it.
struct MetricField {
  std::string name;
  double Metrics::*value;
  std::string help;
};

/// All numbers that may be NaN, in the order in which they are stored.
const std::vector<MetricField>& metric_fields();

/// What is known of each task at one evaluation. Losses and errors are NaN, or the lists empty,
/// where a task was not evaluated.
struct TaskMetrics {
  std::int64_t steps = 0;
  std::vector<double> policy;
  std::vector<double> loss;   ///< nats an output
  std::vector<double> error;  ///< share of wrong answers; NaN for a text
};

}  // namespace gradus
