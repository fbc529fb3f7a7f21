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
// It finds the best fixed task and forgets nothing. A round takes O(N) per Newton step, of which
// there are fewer than ten.

#include <algorithm>
#include <cmath>

#include "gradus/policies/loss_policy.h"
#include "gradus/policies/policies.h"

namespace gradus {
namespace {

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

class TsallisInf final : public LossPolicy {
 public:
  explicit TsallisInf(Prior prior) : LossPolicy(std::move(prior)) { refresh(); }
  std::string_view name() const override { return "tsallis"; }

 private:
  double estimate(double loss, double probability) const override { return loss / probability; }
  // L_i - x = 2 (1 / sqrt(pi_t(i)) - shift) / eta_t.
  double loss_for(int task, double weight) const override {
    return std::sqrt(round() / weight) - shift(task) * std::sqrt(round());
  }

  // 1 / sqrt(pi_0(i)), or 0 if the prior is uniform.
  double shift(int task) const {
    if (prior_.is_uniform()) return 0;
    return std::sqrt(prior_.size() / prior_.relative(task));
  }

  void refresh() override {
    const double least = *std::min_element(losses_.begin(), losses_.end());
    const double half_eta = 1 / std::sqrt(round());
    std::vector<double> gaps(losses_.size());
    for (std::size_t i = 0; i < gaps.size(); ++i) {
      gaps[i] = half_eta * (losses_[i] - least) + shift(static_cast<int>(i));
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
};

}  // namespace

std::unique_ptr<Policy> make_tsallis(int tasks, std::vector<double> prior) {
  return std::make_unique<TsallisInf>(Prior(tasks, std::move(prior)));
}

}  // namespace gradus
