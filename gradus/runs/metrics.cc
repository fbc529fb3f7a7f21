// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/metrics.h"

#include <cmath>
#include <numeric>

#include "gradus/core/learner.h"

namespace gradus {
namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

const std::vector<MetricField>& metric_fields() {
  static const std::vector<MetricField> fields = {
      {"training_loss", &Metrics::training_loss,
       "nats per output, mean over the rounds since the last evaluation"},
      {"target_loss", &Metrics::target_loss, "nats per output on held-out sequences of the target"},
      {"target_error", &Metrics::target_error, "share of wrong answers on the target"},
      {"mean_loss", &Metrics::mean_loss, "nats per output, mean over all tasks"},
      {"mean_error", &Metrics::mean_error,
       "share of wrong answers, mean over the tasks that have answers"},
      {"tasks_completed", &Metrics::tasks_completed, "tasks with fewer than 5% of answers wrong"},
      {"entropy", &Metrics::entropy,
       "entropy of the distribution that tasks are drawn from, in nats"},
      {"complexity", &Metrics::complexity,
       "KL divergence of the posterior from the prior in nats (vi)"},
      {"raw_reward", &Metrics::raw_reward,
       "progress per time step, mean over the rounds since the last evaluation"},
      {"reward", &Metrics::reward, "the same, scaled to [-1, 1]"},
      {"reward_low", &Metrics::reward_low, "raw reward that maps to -1"},
      {"reward_high", &Metrics::reward_high, "raw reward that maps to 1"},
      {"gradient_norm", &Metrics::gradient_norm, "norm of the gradient of the last update"},
      {"weight_norm", &Metrics::weight_norm, "norm of the weights that are evaluated"},
  };
  return fields;
}

void set_means(std::span<const double> losses, std::span<const double> errors, Metrics& metrics) {
  metrics.mean_loss = mean(losses);
  std::vector<double> answered(errors.begin(), errors.end());
  std::erase_if(answered, [](double value) { return std::isnan(value); });
  if (answered.empty()) return;
  metrics.mean_error = mean(answered);
  metrics.tasks_completed = tasks_completed(answered);
}

}  // namespace gradus
