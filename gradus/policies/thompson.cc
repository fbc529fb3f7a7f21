// SPDX-License-Identifier: Apache-2.0
// Discounted Thompson sampling with Gaussian posteriors (Qi, Wang & Zhu 2023, arXiv 2305.10718).
// With g = 1 - 1 / window, a prior N(0, 1) and the largest variance that rewards can have, 1:
//
//   N_i = sum_s g^(t-s) [a_s = i],    S_i = sum_s g^(t-s) r_s [a_s = i]
//   theta_i ~ N(m_i, v_i),    m_i = S_i / (N_i + 1),    v_i = 1 / (N_i + 1)
//   pi(i) = (1 - eps) pi_0(i) P(theta_i is the largest) / Z + eps pi_0(i)
//
// with the prior pi_0 over tasks (prior.h) and Z such that the first term sums to 1 - eps.
//
// Drawing one theta per task would leave the probability unknown, so it is computed:
//
//   P(theta_i is the largest) = integral of f_i(x) product_{j != i} F_j(x) dx
//
// with the densities f and distribution functions F, by the midpoint rule on steps of the
// smallest deviation. The largest theta is between the largest m_j - 5 sqrt(v_j) and the largest
// m_j + 5 sqrt(v_j), up to a probability of 3e-7 per task; tasks that do not reach that range are
// left out. The result is scaled to sum to 1, so an error of the quadrature only means a slightly
// different policy, whose probabilities are known.
//
// No importance weights: the probability of a draw is not used. A new task has the prior. A round
// takes O(N + C Q) with C tasks that may have the largest theta and Q points: tens, 4096 at most.

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/policies/discounted_policy.h"
#include "gradus/policies/policies.h"
#include "gradus/policies/ucb.h"

namespace gradus {
namespace {

constexpr double kReach = 5;  // deviations around a mean
constexpr double kMostPoints = 4096;

class LargestOfGaussians {
 public:
  // Element i is proportional to the probability that theta_i is the largest.
  std::vector<double> compute(std::span<const double> counts, std::span<const double> sums) {
    const double low = set_contenders(counts, sums);
    double high = low;
    double narrowest = 1;
    for (const auto& [task, mean, deviation] : contenders_) {
      high = std::max(high, mean + kReach * deviation);
      narrowest = std::min(narrowest, deviation);
    }
    const double points = std::min(kMostPoints, std::ceil((high - low) / narrowest));
    const double step = (high - low) / points;
    std::vector<double> out(counts.size());
    for (int k = 0; k < points; ++k) add_point(low + (k + 0.5) * step, out);
    return out;
  }

 private:
  struct Posterior {
    std::size_t task;
    double mean;
    double deviation;
  };

  // Returns the lower end of the range of the largest theta.
  double set_contenders(std::span<const double> counts, std::span<const double> sums) {
    contenders_.clear();
    double low = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const Posterior posterior{i, sums[i] / (counts[i] + 1), 1 / std::sqrt(counts[i] + 1)};
      contenders_.push_back(posterior);
      low = std::max(low, posterior.mean - kReach * posterior.deviation);
    }
    std::erase_if(contenders_, [=](const Posterior& posterior) {
      return posterior.mean + kReach * posterior.deviation <= low;
    });
    below_.resize(contenders_.size());
    return low;
  }

  // No F_j is 0: x is at most kReach deviations below each mean.
  void add_point(double x, std::vector<double>& out) {
    double all_below = 1;
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
      const auto& [task, mean, deviation] = contenders_[i];
      below_[i] = std::erfc((mean - x) / (deviation * std::sqrt(2.0))) / 2;
      all_below *= below_[i];
    }
    if (all_below == 0) return;
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
      const auto& [task, mean, deviation] = contenders_[i];
      const double z = (x - mean) / deviation;
      out[task] += all_below / below_[i] * std::exp(-z * z / 2) / deviation;
    }
  }

  std::vector<Posterior> contenders_;
  std::vector<double> below_;  // F_i(x)
};

class Thompson final : public DiscountedPolicy {
 public:
  Thompson(Prior prior, std::optional<double> window, double epsilon)
      : DiscountedPolicy(std::move(prior), window, epsilon) {
    refresh();
  }
  std::string_view name() const override { return "thompson"; }

 private:
  std::vector<double> weights(std::span<const double> counts,
                              std::span<const double> sums) override {
    return quadrature_.compute(counts, sums);
  }

  LargestOfGaussians quadrature_;
};

}  // namespace

std::unique_ptr<Policy> make_thompson(int tasks, std::optional<double> window, double epsilon,
                                      std::vector<double> prior) {
  check_exploration(epsilon);
  return std::make_unique<Thompson>(Prior(tasks, std::move(prior)), window, epsilon);
}

}  // namespace gradus
