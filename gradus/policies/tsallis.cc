// SPDX-License-Identifier: Apache-2.0
// Tsallis-INF (Zimmert & Seldin 2019, arXiv 1807.07623): follow the regularised leader with Tsallis
// entropy of power 1/2. Its regret is of the best order both if rewards are random with fixed means
// and if they are arbitrary. Rewards r become losses (1 - r) / 2. In round t = 1, 2, ..., starting
// from L = 0:
//
//   pi_t(i) = 4 / (eta_t (L_i - x))^2,    x < min L such that they sum to 1,    eta_t = 2 / sqrt(t)
//   L_i    += (1 - r_t) / 2 [i = a_t] / pi_t(i)
//
// With a prior pi_0 (prior.h) the regulariser is the Bregman divergence from it, which adds
// 1 / sqrt(pi_0(i)) to eta_t L_i / 2; if pi_0 is uniform, x absorbs that.
//
// The rates need no tuning and no number of rounds, and every probability is positive. With the
// rewards of all tasks there is no division.
//
// With a_i = eta_t (L_i - min L) / 2, pi_t(i) = (a_i + z)^-2. The root z of S(z)^(-1/2) = 1, with
// S(z) the sum of these, is found by Newton's method. That function is concave and increases, so
// the iteration from z = 1, at which S >= 1, increases towards the root; it is exact after one step
// if all a_i are equal.
//
// The best fixed task is what it finds; it forgets nothing. A round takes O(N) per Newton step, of
// which there are fewer than ten.

#include <algorithm>
#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/policies/dense_policy.h"
#include "gradus/policies/policies.h"
#include "gradus/policies/weights.h"

namespace gradus {
namespace {

using nlohmann::json;

// The square of its inverse is still positive.
constexpr double kLargestLoss = 1e150;
constexpr int kMostSteps = 100;

double newton_step(std::span<const double> gaps, double z) {
  double squares = 0;
  double cubes = 0;
  for (const double gap : gaps) {
    const double inverse = 1 / (gap + z);
    squares += inverse * inverse;
    cubes += inverse * inverse * inverse;
  }
  return squares * (std::sqrt(squares) - 1) / cubes;
}

class TsallisInf final : public DensePolicy {
 public:
  explicit TsallisInf(Prior prior) : DensePolicy(std::move(prior)), losses_(prior_.size()) {
    refresh();
  }

  std::string_view name() const override { return "tsallis"; }

  void update(int task, double probability, double reward) override {
    const double loss = losses_[task] + loss_of(reward) / probability;
    if (!(loss <= kLargestLoss)) {
      throw InputError("policy tsallis: the loss of task " + std::to_string(task) +
                       ", drawn with probability " + to_text(probability) + ", would be " +
                       to_text(loss) + ", expected at most 1e150");
    }
    losses_[task] = loss;
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
    std::vector<double> losses = read_numbers(state, "losses", losses_.size());
    for (const double loss : losses) {
      if (std::abs(loss) <= kLargestLoss) continue;
      throw InputError("saved policy has a loss of " + to_text(loss) + ", expected at most 1e150");
    }
    round_ = round;
    losses_ = std::move(losses);
    refresh();
  }

 private:
  // 1 / sqrt(pi_0(i)), or 0 if the prior is uniform.
  double shift(std::size_t task) const {
    if (prior_.is_uniform()) return 0;
    return std::sqrt(prior_.size() / prior_.relative(static_cast<int>(task)));
  }

  // The losses of which the policy is `weights`: L_i - x = 2 (1 / sqrt(pi_t(i)) - shift) / eta_t.
  void set_weights(const std::vector<double>& weights) {
    losses_.resize(weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const auto round = static_cast<double>(round_);
      losses_[i] = std::sqrt(round / weights[i]) - shift(i) * std::sqrt(round);
    }
    refresh();
  }

  void refresh() {
    const double least = *std::min_element(losses_.begin(), losses_.end());
    const double half_eta = 1 / std::sqrt(static_cast<double>(round_));
    std::vector<double> gaps(losses_.size());
    for (std::size_t i = 0; i < gaps.size(); ++i) {
      gaps[i] = half_eta * (losses_[i] - least) + shift(i);
    }
    const double least_gap = *std::min_element(gaps.begin(), gaps.end());
    for (double& gap : gaps) gap -= least_gap;
    double z = 1;
    for (int k = 0; k < kMostSteps; ++k) {
      const double step = newton_step(gaps, z);
      z += step;
      if (!(step > 1e-15 * z)) break;
    }
    for (double& gap : gaps) gap = 1 / ((gap + z) * (gap + z));
    set_policy(gaps, 0);
  }

  std::uint64_t round_ = 1;
  std::vector<double> losses_;
};

}  // namespace

std::unique_ptr<Policy> make_tsallis(int tasks, std::vector<double> prior) {
  return std::make_unique<TsallisInf>(Prior(tasks, std::move(prior)));
}

}  // namespace gradus
