// SPDX-License-Identifier: Apache-2.0
// Exp3-IX (Neu 2015, arXiv 1506.03271): Exp3 with implicit exploration, whose regret is small with
// high probability and not only on average. Rewards r become losses (1 - r) / 2. In round t = 1, 2,
// ..., starting from L = 0:
//
//   pi_t(i) = pi_0(i) exp(-eta_t L_i) / sum_j pi_0(j) exp(-eta_t L_j)
//   L_i    += (1 - r_t) / 2 [i = a_t] / (pi_t(i) + gamma_t)
//   eta_t   = 2 gamma_t = sqrt(ln N / (N t))
//
// with the prior pi_0 (prior.h). The rates need no tuning and no number of rounds. With the rewards
// of all tasks there is no division. An exponent below -700 counts as -700, so that every
// probability is positive. A single task counts as two in eta, because another may be added.
//
// The best fixed task is what it finds; it forgets nothing. A round takes O(N).

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "gradus/core/state.h"
#include "gradus/policies/dense_policy.h"
#include "gradus/policies/policies.h"
#include "gradus/policies/weights.h"

namespace gradus {
namespace {

using nlohmann::json;

class Exp3Ix final : public DensePolicy {
 public:
  explicit Exp3Ix(Prior prior) : DensePolicy(std::move(prior)), losses_(prior_.size()) {
    refresh();
  }

  std::string_view name() const override { return "exp3ix"; }

  void update(int task, double probability, double reward) override {
    losses_[task] += loss_of(reward) / (probability + eta() / 2);
    ++round_;
    refresh();
  }
  void update_all(std::span<const double> rewards) override {
    for (int i = 0; i < size(); ++i) losses_[i] += loss_of(rewards[i]);
    ++round_;
    refresh();
  }

  void add_task() override {
    prior_.add_task();
    set_weights(with_mean_weight(policy_));
  }
  void remove_task(int task) override {
    const std::vector<double> weights = without_weight(policy_, task);
    prior_.remove_task(task);
    set_weights(weights);
  }

  json settings() const override {
    json settings = json::object();
    prior_.add_to(settings);
    return settings;
  }
  json state() const override { return {{"round", round_}, {"losses", losses_}}; }
  void restore(const json& state) override {
    const std::uint64_t round = read_round(state);
    losses_ = read_numbers(state, "losses", losses_.size());
    round_ = round;
    refresh();
  }

 private:
  double eta() const {
    const auto tasks = static_cast<double>(std::max<std::size_t>(losses_.size(), 2));
    return std::sqrt(std::log(tasks) / (tasks * static_cast<double>(round_)));
  }

  // The losses of which the policy is `weights`.
  void set_weights(const std::vector<double>& weights) {
    losses_.resize(weights.size());
    const double rate = eta();
    for (std::size_t i = 0; i < weights.size(); ++i) {
      losses_[i] = -std::log(weights[i] / prior_.relative(static_cast<int>(i))) / rate;
    }
    refresh();
  }

  void refresh() {
    const double least = *std::min_element(losses_.begin(), losses_.end());
    const double rate = eta();
    std::vector<double> weights(losses_.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] = std::exp(-std::min(rate * (losses_[i] - least), 700.0));
    }
    set_policy(prior_.times(std::move(weights)), 0);
  }

  std::uint64_t round_ = 1;
  std::vector<double> losses_;
};

}  // namespace

std::unique_ptr<Policy> make_exp3ix(int tasks, std::vector<double> prior) {
  return std::make_unique<Exp3Ix>(Prior(tasks, std::move(prior)));
}

}  // namespace gradus
