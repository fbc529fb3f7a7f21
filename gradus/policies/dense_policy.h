// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "gradus/core/policy.h"
#include "gradus/policies/prior.h"

namespace gradus {

/// Base of policies with a prior that recompute all probabilities in every round, in O(N).
class DensePolicy : public Policy {
 public:
  int size() const override { return static_cast<int>(policy_.size()); }
  double probability(int task) const override { return policy_[task]; }
  std::vector<double> probabilities() const override { return policy_; }
  int draw(double u) const override { return draw_from(policy_, u); }

 protected:
  explicit DensePolicy(Prior prior) : prior_(std::move(prior)), policy_(prior_.size()) {}

  /// pi(i) = (1 - epsilon) w_i / sum of w + epsilon pi_0(i). REQUIRES a weight for each task of the
  /// prior.
  void set_policy(std::span<const double> weights, double epsilon) {
    double sum = 0;
    for (const double weight : weights) sum += weight;
    const auto tasks = static_cast<double>(weights.size());
    policy_.resize(weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double relative = prior_.relative(static_cast<int>(i));
      policy_[i] = (1 - epsilon) * (weights[i] / sum) + epsilon / tasks * relative;
    }
  }

  Prior prior_;
  std::vector<double> policy_;
};

/// A reward in [-1, 1] as a loss in [0, 1].
inline double loss_of(double reward) {
  return (1 - reward) / 2;
}

}  // namespace gradus
