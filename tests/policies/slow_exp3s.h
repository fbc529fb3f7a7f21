// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace gradus {

/// Exp3.S as written in the paper's section 2.2: exp(w) in extended precision, with a loop over the
/// other tasks for each sum. Only works if exponents are moderate.
class SlowExp3S {
 public:
  SlowExp3S(int tasks, double eta, double beta, double epsilon)
      : eta_(eta), beta_(beta), epsilon_(epsilon), exp_w_(tasks, 1.0L) {}

  long double probability(int i) const {
    long double sum = 0;
    for (const long double weight : exp_w_) sum += weight;
    return (1 - epsilon_) * exp_w_[i] / sum + epsilon_ / exp_w_.size();
  }

  void update(int task, long double probability_at_draw, long double reward) {
    const int tasks = static_cast<int>(exp_w_.size());
    std::vector<long double> exp_u(tasks);
    for (int i = 0; i < tasks; ++i) {
      const long double r = i == task ? reward : 0;
      const long double pi = i == task ? probability_at_draw : probability(i);
      exp_u[i] = exp_w_[i] * std::exp(eta_ * (r + beta_) / pi);
    }
    const long double alpha = 1 / (t_ + 1);
    for (int i = 0; i < tasks && tasks > 1; ++i) {
      long double others = 0;
      for (int j = 0; j < tasks; ++j) others += j == i ? 0 : exp_u[j];
      exp_w_[i] = (1 - alpha) * exp_u[i] + alpha / (tasks - 1) * others;
    }
    // Subtracts a constant from all w.
    const long double largest = *std::max_element(exp_w_.begin(), exp_w_.end());
    for (long double& weight : exp_w_) weight /= largest;
    ++t_;
  }

 private:
  long double eta_;
  long double beta_;
  long double epsilon_;
  long double t_ = 1;
  std::vector<long double> exp_w_;
};

}  // namespace gradus
