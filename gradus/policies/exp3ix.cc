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
// It finds the best fixed task and forgets nothing. A round takes O(N).

#include <algorithm>
#include <cmath>

#include "gradus/policies/loss_policy.h"
#include "gradus/policies/policies.h"

namespace gradus {
namespace {

class Exp3Ix final : public LossPolicy {
 public:
  explicit Exp3Ix(Prior prior) : LossPolicy(std::move(prior)) { refresh(); }
  std::string_view name() const override { return "exp3ix"; }

 private:
  double eta() const {
    const auto tasks = static_cast<double>(std::max<std::size_t>(losses_.size(), 2));
    return std::sqrt(std::log(tasks) / (tasks * round()));
  }

  double estimate(double loss, double probability) const override {
    return loss / (probability + eta() / 2);
  }
  double loss_for(int task, double weight) const override {
    return -std::log(weight / prior_.relative(task)) / eta();
  }

  void refresh() override {
    const double least = *std::min_element(losses_.begin(), losses_.end());
    const double rate = eta();
    std::vector<double> weights(losses_.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] = std::exp(-std::min(rate * (losses_[i] - least), 700.0));
    }
    set_policy(prior_.times(std::move(weights)), 0);
  }
};

}  // namespace

std::unique_ptr<Policy> make_exp3ix(int tasks, std::vector<double> prior) {
  return std::make_unique<Exp3Ix>(Prior(tasks, std::move(prior)));
}

}  // namespace gradus
