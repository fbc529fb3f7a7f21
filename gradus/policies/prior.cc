// SPDX-License-Identifier: Apache-2.0
#include "gradus/policies/prior.h"

#include <cmath>
#include <numeric>
#include <string>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"

namespace gradus {
namespace {

// Of the sum of all weights. A smaller share would vanish in the rounding errors of the others.
constexpr double kLeastShare = 1e-12;

}  // namespace

Prior::Prior(int tasks, std::vector<double> weights) : tasks_(tasks), weights_(std::move(weights)) {
  if (weights_.empty()) return;
  if (weights_.size() != static_cast<std::size_t>(tasks)) {
    throw InputError("prior has " + std::to_string(weights_.size()) +
                     " weights, expected one for each of " + std::to_string(tasks) + " tasks");
  }
  const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  const double least = std::isfinite(sum) ? kLeastShare * sum : 0;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (std::isfinite(weights_[i]) && weights_[i] > 0 && weights_[i] >= least) continue;
    throw InputError("prior of task " + std::to_string(i) + " is " + to_text(weights_[i]) +
                     ", expected a weight above 0 and at least 1e-12 of their sum " + to_text(sum));
  }
  if (!std::isfinite(sum)) throw InputError("the sum of the prior's weights is too large");
  set_relative();
}

std::vector<double> Prior::times(std::vector<double> values) const {
  for (std::size_t i = 0; i < relative_.size(); ++i) values[i] *= relative_[i];
  return values;
}

void Prior::set_relative() {
  const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  relative_ = weights_;
  for (double& each : relative_) each *= tasks_ / sum;
}

void Prior::add_task() {
  ++tasks_;
  if (is_uniform()) return;
  const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  weights_.push_back(sum / static_cast<double>(weights_.size()));
  set_relative();
}

void Prior::remove_task(int task) {
  --tasks_;
  if (is_uniform()) return;
  weights_.erase(weights_.begin() + task);
  set_relative();
}

void Prior::add_to(nlohmann::json& settings) const {
  if (!is_uniform()) settings["prior"] = weights_;
}

}  // namespace gradus
