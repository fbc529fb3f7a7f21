// SPDX-License-Identifier: Apache-2.0
// Exp3 (Auer et al. 2002; paper, section 2.2). The weights are the sums of all importance-sampled
// rewards so far, without exploration and without sharing.
//
//   pi_t = softmax(w_t),   w_{t+1,i} = w_{t,i} + eta r_t [i = a_t] / pi_t(i)
//
// starting from w_1 = log pi_0 with the prior pi_0 (prior.h). It does not forget, so it does not
// return to the prior.
//
// With the rewards of all tasks it is Hedge: w_{t+1,i} = w_{t,i} + eta r_{t,i}.
//
// The round t is counted only if eta is automatic.

#include <algorithm>
#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/policies/dense_policy.h"
#include "gradus/policies/policies.h"
#include "gradus/policies/prior.h"
#include "gradus/policies/weights.h"

namespace gradus {
namespace {

using nlohmann::json;

class Exp3 final : public DensePolicy {
 public:
  Exp3(Prior prior, std::optional<double> eta) : DensePolicy(std::move(prior)), eta_(eta) {
    for (int i = 0; i < size(); ++i) log_weights_.push_back(std::log(prior_.relative(i)));
    softmax(log_weights_, policy_);
  }

  std::string_view name() const override { return "exp3"; }

  void update(int task, double probability, double reward) override {
    const double weight = log_weights_[task] + eta_.at(size(), round_) * reward / probability;
    // Without exploration a probability may be so small that its inverse overflows.
    if (!std::isfinite(weight)) {
      throw InputError("policy exp3: the weight of task " + std::to_string(task) +
                       ", drawn with probability " + to_text(probability) + ", would be " +
                       to_text(weight));
    }
    log_weights_[task] = weight;
    if (eta_.is_automatic()) ++round_;
    softmax(log_weights_, policy_);
  }

  void update_all(std::span<const double> rewards) override {
    const double eta = eta_.at(size(), round_);
    for (int i = 0; i < size(); ++i) log_weights_[i] += eta * rewards[i];
    if (eta_.is_automatic()) ++round_;
    softmax(log_weights_, policy_);
  }

  // The others' logarithms stay untouched, so that they do not suffer rounding errors.
  void add_task() override {
    // log of the sum of exponentials, from the largest one and its softmax.
    const auto largest = std::max_element(log_weights_.begin(), log_weights_.end());
    const double log_sum = *largest - std::log(policy_[largest - log_weights_.begin()]);
    log_weights_.push_back(log_sum - std::log(static_cast<double>(size())));
    policy_.emplace_back();
    prior_.add_task();
    softmax(log_weights_, policy_);
  }
  void remove_task(int task) override {
    log_weights_.erase(log_weights_.begin() + task);
    policy_.pop_back();
    prior_.remove_task(task);
    softmax(log_weights_, policy_);
  }

  json settings() const override {
    json settings = {{"eta", eta_.setting()}};
    prior_.add_to(settings);
    return settings;
  }
  json state() const override {
    json state = {{"log_weights", log_weights_}};
    if (eta_.is_automatic()) state["round"] = round_;
    return state;
  }
  void restore(const json& state) override {
    std::vector<double> weights = read_numbers(state, "log_weights", log_weights_.size());
    if (eta_.is_automatic()) round_ = read_round(state);
    log_weights_ = std::move(weights);
    softmax(log_weights_, policy_);
  }

 private:
  StepSize eta_;
  std::uint64_t round_ = 1;
  std::vector<double> log_weights_;
};

}  // namespace

std::unique_ptr<Policy> make_exp3(int tasks, std::optional<double> eta, std::vector<double> prior) {
  checked(PolicySettings{.eta = eta});
  return std::make_unique<Exp3>(Prior(tasks, std::move(prior)), eta);
}

}  // namespace gradus
