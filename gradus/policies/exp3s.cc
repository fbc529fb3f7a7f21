// SPDX-License-Identifier: Apache-2.0
// Exp3.S (Auer et al. 2002; paper, section 2.2). In round t = 1, 2, ..., starting from w_1 = 0:
//
//   pi_t(i)   = (1 - eps) softmax(w_t)_i + eps / N
//   u_i       = w_{t,i} + eta (r_t [i = a_t] + beta) / pi_t(i)
//   w_{t+1,i} = log[(1 - alpha) exp u_i + alpha / (N - 1) sum_{j != i} exp u_j],  alpha = 1/(t+1)
//
// The rewarded task divides by the probability of its ticket; the other tasks divide beta by their
// probability at settlement.
//
// With a prior pi_0 (prior.h) the policy starts from it, explores by it, and shares by it, so that
// it stays at pi_0 as long as all rewards are 0:
//
//   w_1       = log pi_0,    pi_t(i) = (1 - eps) softmax(w_t)_i + eps pi_0(i)
//   w_{t+1,i} = log[(1 - a) exp u_i + a pi_0(i) sum_j exp u_j],    a = alpha N / (N - 1)
//
// If pi_0 is uniform, these are the equations above.
//
// With the rewards of all tasks it is Hedge with sharing: u_i = w_{t,i} + eta r_{t,i}, in O(N). A
// beta would change nothing, since all tasks would get the same.
//
// If beta is 0, a round takes O(log N): see lazy_shares.h. Otherwise the exponents of all tasks
// differ, and a round takes O(N).
//
// The state is the shares softmax(w), not w. Sharing leaves every task at least alpha / (N - 1), so
// shares cannot underflow. A large eta can only make the exponents of a single round large;
// subtracting the largest from all of them keeps the exponentials finite and leaves softmax(w)
// unchanged.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/policies/dense_policy.h"
#include "gradus/policies/lazy_shares.h"
#include "gradus/policies/policies.h"
#include "gradus/policies/weights.h"

namespace gradus {
namespace {

using nlohmann::json;

// Multiplies each task's share by the exponential of its exponent, then shares by the prior as
// above. REQUIRES at least two tasks.
void grow_and_share(std::span<double> shares, std::span<const double> exponents, double alpha,
                    const Prior& prior) {
  const double largest = *std::max_element(exponents.begin(), exponents.end());
  double sum = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i] *= std::exp(exponents[i] - largest);
    sum += shares[i];
  }
  const double given = alpha / static_cast<double>(shares.size() - 1);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double shared = prior.relative(static_cast<int>(i)) * sum - shares[i];
    shares[i] = ((1 - alpha) * shares[i] + given * shared) / sum;
  }
}

class LazyExp3S final : public Policy {
 public:
  LazyExp3S(Prior prior, std::optional<double> eta, double epsilon)
      : eta_(eta), epsilon_(epsilon), shares_(std::move(prior)) {}

  std::string_view name() const override { return "exp3s"; }
  int size() const override { return shares_.size(); }
  double probability(int task) const override {
    return (1 - epsilon_) * shares_[task] + epsilon_ / size() * shares_.prior().relative(task);
  }
  std::vector<double> probabilities() const override {
    std::vector<double> policy(size());
    for (int i = 0; i < size(); ++i) policy[i] = probability(i);
    return policy;
  }
  int draw(double u) const override { return shares_.draw(u, epsilon_); }
  std::vector<double> below(std::span<const int> tasks) const override {
    std::vector<double> sums;
    for (const int task : tasks) sums.push_back(shares_.below(task, epsilon_));
    return sums;
  }
  std::optional<AffineForm> affine_form() const override {
    const double offset = (1 - epsilon_) * shares_.offset() + epsilon_ / size();
    return AffineForm{(1 - epsilon_) * shares_.scale(), offset, shares_.version()};
  }
  double affine_value(int task) const override { return shares_.value(task); }
  double affine_base(int task) const override { return shares_.prior().relative(task); }

  void update(int task, double probability, double reward) override {
    const double eta = eta_.at(size(), round_++);
    if (size() == 1) return;
    shares_.grow_and_share(task, eta * reward / probability, 1.0 / static_cast<double>(round_),
                           round_);
  }
  void update_all(std::span<const double> rewards) override {
    const double eta = eta_.at(size(), round_++);
    if (size() == 1) return;
    std::vector<double> exponents(rewards.begin(), rewards.end());
    for (double& exponent : exponents) exponent *= eta;
    std::vector<double> shares = shares_.all();
    grow_and_share(shares, exponents, 1.0 / static_cast<double>(round_), shares_.prior());
    shares_.restore(shares, 1, 0);
  }

  void add_task() override { shares_.add_task(); }
  void remove_task(int task) override { shares_.remove_task(task); }

  json settings() const override {
    json settings = {{"eta", eta_.setting()}, {"beta", 0.0}, {"epsilon", epsilon_}};
    shares_.prior().add_to(settings);
    return settings;
  }

  // A share is map[0] * shares[i] + map[1] N pi_0(i), or shares[i] if there is no map.
  json state() const override {
    std::vector<double> values(size());
    for (int i = 0; i < size(); ++i) values[i] = shares_.value(i);
    return {{"round", round_}, {"shares", values}, {"map", {shares_.scale(), shares_.offset()}}};
  }

  void restore(const json& state) override {
    const std::size_t tasks = size();
    const std::vector<double> values = read_numbers(state, "shares", tasks);
    std::vector<double> map = {1, 0};
    if (state.contains("map")) map = read_numbers(state, "map", 2);
    std::vector<double> shares(tasks);
    for (std::size_t i = 0; i < tasks; ++i) {
      shares[i] = map[0] * values[i] + map[1] * shares_.prior().relative(static_cast<int>(i));
    }
    check_shares(shares);
    round_ = read_round(state);
    shares_.restore(values, map[0], map[1]);
  }

 private:
  StepSize eta_;
  double epsilon_;
  std::uint64_t round_ = 1;
  LazyShares shares_;
};

class Exp3S final : public DensePolicy {
 public:
  Exp3S(Prior prior, std::optional<double> eta, double beta, double epsilon)
      : DensePolicy(std::move(prior)), eta_(eta), beta_(beta), epsilon_(epsilon) {
    set_shares(prior_.times(std::vector<double>(prior_.size(), 1.0 / prior_.size())));
  }

  std::string_view name() const override { return "exp3s"; }

  void update(int task, double probability, double reward) override {
    const double eta = eta_.at(size(), round_++);
    for (int i = 0; i < size(); ++i) exponents_[i] = eta * beta_ / policy_[i];
    exponents_[task] = eta * (reward + beta_) / probability;
    if (size() > 1) grow_and_share(shares_, exponents_, 1.0 / static_cast<double>(round_), prior_);
    refresh();
  }
  void update_all(std::span<const double> rewards) override {
    const double eta = eta_.at(size(), round_++);
    for (int i = 0; i < size(); ++i) exponents_[i] = eta * rewards[i];
    if (size() > 1) grow_and_share(shares_, exponents_, 1.0 / static_cast<double>(round_), prior_);
    refresh();
  }

  void add_task() override {
    prior_.add_task();
    set_shares(with_mean_weight(shares_));
  }
  void remove_task(int task) override {
    std::vector<double> shares = without_weight(shares_, task);
    prior_.remove_task(task);
    set_shares(std::move(shares));
  }

  json settings() const override {
    json settings = {{"eta", eta_.setting()}, {"beta", beta_}, {"epsilon", epsilon_}};
    prior_.add_to(settings);
    return settings;
  }
  json state() const override { return {{"round", round_}, {"shares", shares_}}; }
  void restore(const json& state) override {
    std::vector<double> shares = read_numbers(state, "shares", shares_.size());
    check_shares(shares);
    round_ = read_round(state);
    set_shares(std::move(shares));
  }

 private:
  void set_shares(std::vector<double> shares) {
    shares_ = std::move(shares);
    policy_.resize(shares_.size());
    exponents_.resize(shares_.size());
    refresh();
  }

  void refresh() {
    for (int i = 0; i < size(); ++i) {
      policy_[i] = (1 - epsilon_) * shares_[i] + epsilon_ / size() * prior_.relative(i);
    }
  }

  StepSize eta_;
  double beta_;
  double epsilon_;
  std::uint64_t round_ = 1;
  std::vector<double> shares_;
  std::vector<double> exponents_;  // scratch of update()
};

}  // namespace

std::unique_ptr<Policy> make_exp3s(int tasks, std::optional<double> eta, double beta,
                                   double epsilon, std::vector<double> prior) {
  checked(PolicySettings{.eta = eta, .beta = beta, .epsilon = epsilon});
  Prior checked_prior(tasks, std::move(prior));
  if (beta == 0) return std::make_unique<LazyExp3S>(std::move(checked_prior), eta, epsilon);
  return std::make_unique<Exp3S>(std::move(checked_prior), eta, beta, epsilon);
}

}  // namespace gradus
