// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "gradus/policies/dense_policy.h"
#include "gradus/policies/memory.h"

namespace gradus {

/// Base of policies that follow the discounted number and sum of each task's rewards, and explore
/// with probability epsilon: ducb and thompson. They do not use the probability of a draw.
class DiscountedPolicy : public DensePolicy {
 public:
  void update(int task, double, double reward) override {
    rewards_.add(task, reward, window_.discount(size()));
    refresh();
  }

  void add_task() override {
    prior_.add_task();
    rewards_.add_task();
    refresh();
  }
  void remove_task(int task) override {
    prior_.remove_task(task);
    rewards_.remove_task(task);
    refresh();
  }

  nlohmann::json settings() const override {
    nlohmann::json settings = {{"window", window_.setting()}, {"epsilon", epsilon_}};
    prior_.add_to(settings);
    return settings;
  }
  nlohmann::json state() const override { return rewards_.state(); }
  void restore(const nlohmann::json& state) override {
    rewards_.restore(state);
    refresh();
  }

 protected:
  /// The constructor of a policy must call refresh().
  DiscountedPolicy(Prior prior, std::optional<double> window, double epsilon)
      : DensePolicy(std::move(prior)),
        window_(window),
        epsilon_(epsilon),
        rewards_(prior_.size()) {}

  void refresh() {
    set_policy(prior_.times(weights(rewards_.counts(), rewards_.sums())), epsilon_);
  }

 private:
  /// The share 1 - epsilon is divided in proportion to these weights times the prior.
  virtual std::vector<double> weights(std::span<const double> counts,
                                      std::span<const double> sums) = 0;

  Window window_;
  double epsilon_;
  DiscountedRewards rewards_;
};

}  // namespace gradus
