// SPDX-License-Identifier: Apache-2.0
// Boltzmann exploration over exponentially discounted values, the online algorithm of
// Teacher-Student Curriculum Learning (Matiisen et al. 2017, arXiv 1707.00183). All values start at
// 0. After task a earned r:
//
//   Q_a <- d Q_a + (1 - d) r,    d = discount
//   pi(i) = (1 - eps) pi_0(i) exp(Q_i / T) / sum_j pi_0(j) exp(Q_j / T) + eps pi_0(i)
//
// with T = temperature and the prior pi_0 (prior.h).
//
// Rewards are signals of progress already, so their sign counts: there is no absolute value as in
// that paper. No importance weights: the probability of a draw is not used.
//
// A round takes O(log N): only one value changes. With the rewards of all tasks, all values change
// in O(N).

#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/policies/policies.h"
#include "gradus/policies/prior.h"
#include "gradus/policies/sum_tree.h"
#include "gradus/policies/weights.h"

namespace gradus {
namespace {

using nlohmann::json;

class Boltzmann final : public Policy {
 public:
  Boltzmann(Prior prior, double discount, double temperature, double epsilon)
      : discount_(discount),
        temperature_(temperature),
        epsilon_(epsilon),
        prior_(std::move(prior)),
        weights_(prior_.size()),
        relative_(prior_.size()) {
    set_values(std::vector<double>(prior_.size(), 0.0));
  }

  std::string_view name() const override { return "boltzmann"; }
  int size() const override { return weights_.size(); }
  double probability(int task) const override {
    return (1 - epsilon_) * (weights_[task] / weights_.sum()) +
           epsilon_ / size() * prior_.relative(task);
  }
  std::vector<double> probabilities() const override {
    std::vector<double> policy(size());
    for (int i = 0; i < size(); ++i) policy[i] = probability(i);
    return policy;
  }
  int draw(double u) const override {
    return weights_.find(
        u, [this](std::size_t node, int count) { return probability_of(node, count); });
  }
  std::vector<double> below(std::span<const int> tasks) const override {
    std::vector<double> sums;
    for (const int task : tasks) {
      sums.push_back(weights_.before(
          task, [this](std::size_t node, int count) { return probability_of(node, count); }));
    }
    return sums;
  }

  void update(int task, double, double reward) override {
    learn(task, reward);
    weights_.set(task, weight_of(task));
  }
  void update_all(std::span<const double> rewards) override {
    for (int i = 0; i < size(); ++i) learn(i, rewards[i]);
    set_values(values_);
  }

  void add_task() override {
    std::vector<double> values = values_;
    values.push_back(1 + temperature_ * std::log(weights_.sum() / size()));
    prior_.add_task();
    set_values(std::move(values));
  }
  void remove_task(int task) override {
    std::vector<double> values = values_;
    values.erase(values.begin() + task);
    prior_.remove_task(task);
    set_values(std::move(values));
  }

  json settings() const override {
    json settings = {{"discount", discount_}, {"temperature", temperature_}, {"epsilon", epsilon_}};
    prior_.add_to(settings);
    return settings;
  }
  json state() const override { return {{"values", values_}}; }
  void restore(const json& state) override {
    std::vector<double> values = read_numbers(state, "values", values_.size());
    for (const double value : values) {
      if (std::abs(value) <= 1 + 1e-9) continue;
      throw InputError("saved policy has a value of " + to_text(value) + ", expected -1 to 1");
    }
    set_values(std::move(values));
  }

 private:
  void learn(int task, double reward) {
    values_[task] = discount_ * values_[task] + (1 - discount_) * reward;
  }

  // No value is above 1, so no weight is above N pi_0.
  double weight_of(int task) const {
    return std::exp((values_[task] - 1) / temperature_) * prior_.relative(task);
  }

  // Of a subtree with `count` tasks.
  double probability_of(std::size_t node, int count) const {
    const double relative = prior_.is_uniform() ? count : relative_.sum(node);
    return (1 - epsilon_) * (weights_.sum(node) / weights_.sum()) + epsilon_ / size() * relative;
  }

  void set_values(std::vector<double> values) {
    values_ = std::move(values);
    weights_ = SumTree(static_cast<int>(values_.size()));
    weights_.set_all([this](int i) { return weight_of(i); });
    relative_ = SumTree(prior_.size());
    if (!prior_.is_uniform()) relative_.set_all([this](int i) { return prior_.relative(i); });
  }

  double discount_;
  double temperature_;
  double epsilon_;
  Prior prior_;
  std::vector<double> values_;
  SumTree weights_;
  SumTree relative_;  // N pi_0, if the prior is not uniform
};

}  // namespace

std::unique_ptr<Policy> make_boltzmann(int tasks, double discount, double temperature,
                                       double epsilon, std::vector<double> prior) {
  checked(PolicySettings{.epsilon = epsilon, .discount = discount, .temperature = temperature});
  return std::make_unique<Boltzmann>(Prior(tasks, std::move(prior)), discount, temperature,
                                     epsilon);
}

}  // namespace gradus
