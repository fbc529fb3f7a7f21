// SPDX-License-Identifier: Apache-2.0
#include "gradus/policies/loss_policy.h"

#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/policies/weights.h"

namespace gradus {
namespace {

using nlohmann::json;

// Keeps 1 / loss^2, which tsallis computes, above 0.
constexpr double kLargestLoss = 1e150;

}  // namespace

void LossPolicy::update(int task, double probability, double reward) {
  const double loss = losses_[task] + estimate(loss_of(reward), probability);
  if (!(loss <= kLargestLoss)) {
    throw InputError("policy " + std::string(name()) + ": the loss of task " +
                     std::to_string(task) + ", drawn with probability " + to_text(probability) +
                     ", would be " + to_text(loss) + ", expected at most 1e150");
  }
  losses_[task] = loss;
  ++round_;
  refresh();
}

void LossPolicy::update_all(std::span<const double> rewards) {
  for (int i = 0; i < size(); ++i) losses_[i] += loss_of(rewards[i]);
  ++round_;
  refresh();
}

void LossPolicy::add_task() {
  prior_.add_task();
  set_weights(with_mean_weight(policy_));
}

void LossPolicy::remove_task(int task) {
  const std::vector<double> weights = without_weight(policy_, task);
  prior_.remove_task(task);
  set_weights(weights);
}

json LossPolicy::settings() const {
  json settings = json::object();
  prior_.add_to(settings);
  return settings;
}

json LossPolicy::state() const {
  return {{"round", round_}, {"losses", losses_}};
}

void LossPolicy::restore(const json& state) {
  const std::uint64_t round = read_round(state);
  std::vector<double> losses = read_numbers(state, "losses", losses_.size());
  for (const double loss : losses) {
    if (std::abs(loss) <= kLargestLoss) continue;
    throw InputError("saved policy has a loss of " + to_text(loss) + ", expected at most 1e150");
  }
  round_ = round;
  losses_ = std::move(losses);
  refresh();
}

void LossPolicy::set_weights(const std::vector<double>& weights) {
  losses_.resize(weights.size());
  for (int i = 0; i < prior_.size(); ++i) losses_[i] = loss_for(i, weights[i]);
  refresh();
}

}  // namespace gradus
