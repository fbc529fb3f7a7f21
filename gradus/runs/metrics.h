// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace gradus {

/// The state of a run at one evaluation. Losses of held-out sequences are in nats per output; an
/// output is one scored step. Only tasks with answers have errors; texts have none. A value that
/// does not apply is NaN. Means are over the rounds since the last evaluation.
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
  double moved = kNone;  ///< distance_from_uniform(); not stored, follows from the policy
  double complexity = kNone;
  double raw_reward = kNone;
  double reward = kNone;
  double reward_low = kNone;
  double reward_high = kNone;
  double gradient_norm = kNone;
  double weight_norm = kNone;
};

/// One field of Metrics, with the name that files and figures use.
struct MetricField {
  std::string name;
  double Metrics::*value;
  std::string help;
};

/// All fields that may be NaN, in storage order.
const std::vector<MetricField>& metric_fields();

/// The state of each task at one evaluation. If a task was not evaluated, its loss and error are
/// NaN or the lists are empty.
struct TaskMetrics {
  std::int64_t steps = 0;
  std::vector<double> policy;  ///< the probabilities that tasks are drawn with, limits included
  std::vector<double> loss;    ///< nats per output
  std::vector<double> error;   ///< share of wrong answers; NaN for texts
};

/// Sets mean_loss, mean_error and tasks_completed. A task without answers has a NaN error.
/// REQUIRES a loss for each task.
void set_means(std::span<const double> losses, std::span<const double> errors, Metrics& metrics);

}  // namespace gradus
