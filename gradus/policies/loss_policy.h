// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gradus/policies/dense_policy.h"

namespace gradus {

/// Base of policies that follow the tasks' summed losses L_i: exp3ix and tsallis. Rewards r become
/// losses (1 - r) / 2. update() estimates the losses from the reward of the task that was drawn;
/// update_all() needs no estimate.
class LossPolicy : public DensePolicy {
 public:
  void update(int task, double probability, double reward) override;
  void update_all(std::span<const double> rewards) override;

  void add_task() override;
  void remove_task(int task) override;

  nlohmann::json settings() const override;
  nlohmann::json state() const override;
  void restore(const nlohmann::json& state) override;

 protected:
  /// The constructor of a policy must call refresh().
  explicit LossPolicy(Prior prior) : DensePolicy(std::move(prior)), losses_(prior_.size()) {}

  /// Computes the policy from the losses.
  virtual void refresh() = 0;

  double round() const { return static_cast<double>(round_); }

  std::vector<double> losses_;  // L

 private:
  /// An estimate of the loss of a task that was drawn. Its mean over draws is about `loss`.
  virtual double estimate(double loss, double probability) const = 0;
  /// The loss with which `task` has the probability `weight`, up to a constant for all tasks.
  virtual double loss_for(int task, double weight) const = 0;

  void set_weights(const std::vector<double>& weights);

  std::uint64_t round_ = 1;
};

}  // namespace gradus
