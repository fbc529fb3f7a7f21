// SPDX-License-Identifier: Apache-2.0
#include "gradus/policies/weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/policies/policies.h"

namespace gradus {
namespace {

double sum_of(const std::vector<double>& weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

std::vector<double> normalised(std::vector<double> weights) {
  const double sum = sum_of(weights);
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace

void softmax(std::span<const double> log_weights, std::span<double> out) {
  const double largest = *std::max_element(log_weights.begin(), log_weights.end());
  double sum = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = std::exp(log_weights[i] - largest);
    sum += out[i];
  }
  for (double& p : out) p /= sum;
}

std::vector<double> with_mean_weight(std::vector<double> weights) {
  weights.push_back(sum_of(weights) / static_cast<double>(weights.size()));
  return normalised(std::move(weights));
}

std::vector<double> without_weight(std::vector<double> weights, int task) {
  weights.erase(weights.begin() + task);
  if (!(sum_of(weights) > 0)) {
    throw InputError("task " + std::to_string(task) + " has all the probability of the policy, " +
                     "expected another task with some before it is removed");
  }
  return normalised(std::move(weights));
}

double StepSize::at(int tasks, std::uint64_t round) const {
  return eta_ ? *eta_ : automatic_eta(tasks, round);
}

nlohmann::json StepSize::setting() const {
  return eta_ ? nlohmann::json(*eta_) : nlohmann::json("auto");
}

std::uint64_t read_round(const nlohmann::json& state) {
  const std::uint64_t round = read_count(state, "round");
  if (round < 1) throw InputError("saved policy is in round 0, expected 1 or more");
  return round;
}

void check_shares(std::span<const double> shares) {
  double sum = 0;
  for (const double share : shares) {
    if (!(share > 0))
      throw InputError("saved policy has a share of " + to_text(share) + ", expected above 0");
    sum += share;
  }
  if (!(std::abs(sum - 1) <= 1e-9)) {
    throw InputError("saved policy has shares that sum to " + to_text(sum) + ", expected 1");
  }
}

}  // namespace gradus
