// SPDX-License-Identifier: Apache-2.0
// Discounted UCB (Garivier & Moulines 2008, arXiv 0805.3415): an upper confidence bound in which
// old rewards count less. With g = 1 - 1 / window,
//
//   N_i = sum_s g^(t-s) [a_s = i],    S_i = sum_s g^(t-s) r_s [a_s = i]
//   pi(i) = (1 - eps) [i has the largest index] + eps pi_0(i)
//
// ucb.h has the index, which depends on the prior pi_0 (prior.h); tasks with equal indexes share by
// it. That paper pads D-UCB's means by twice as much as SW-UCB's (2 B instead of B). We use B for
// both: with ten tasks and a window of 500, 2 B doubles the regret (the changing bandit of
// tests/policies/regret_test.cc).
//
// Almost all probability is on one task. While its reward is outstanding, it is drawn again. If a
// user's limits keep it from being drawn, the others are drawn uniformly. A new task has no
// rewards, so it is drawn next. A round takes O(N).

#include "gradus/policies/discounted_policy.h"
#include "gradus/policies/policies.h"
#include "gradus/policies/ucb.h"

namespace gradus {
namespace {

class DiscountedUcb final : public DiscountedPolicy {
 public:
  DiscountedUcb(Prior prior, std::optional<double> window, double epsilon)
      : DiscountedPolicy(std::move(prior), window, epsilon) {
    refresh();
  }
  std::string_view name() const override { return "ducb"; }

 private:
  std::vector<double> weights(std::span<const double> counts,
                              std::span<const double> sums) override {
    return largest_index(counts, sums, prior_);
  }
};

}  // namespace

std::unique_ptr<Policy> make_ducb(int tasks, std::optional<double> window, double epsilon,
                                  std::vector<double> prior) {
  check_exploration(epsilon);
  return std::make_unique<DiscountedUcb>(Prior(tasks, std::move(prior)), window, epsilon);
}

}  // namespace gradus
