// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

// Models small enough to compute every expectation of section 3.3 of the paper exactly: a handful
// of examples with probabilities, and two weights.

namespace gradus::bias {

using Vector = std::array<double, 2>;

/// One example and the probability that the task draws it. `label` is 1 or -1; the quadratic model
/// ignores it.
struct Example {
  Vector x{};
  double label = 1;
  double probability = 0;
};

/// A task D: its examples, whose probabilities add up to 1.
using Task = std::vector<Example>;

/// L(x, theta) and its gradient.
struct Model {
  double (*loss)(const Example&, const Vector& theta);
  Vector (*gradient)(const Example&, const Vector& theta);
};

/// L = |theta - x|^2 / 2.
Model quadratic_model();
/// L = log(1 + exp(-label theta . x)).
Model logistic_model();

/// Expectations over one step theta' = theta - alpha grad L(x, theta), x ~ D.
struct Expectations {
  double progress = 0;           ///< nu = E[L_D(theta) - L_D(theta')], L_D the expected loss
  double prediction_gain = 0;    ///< E[PG]
  double self_gain = 0;          ///< E[SPG], x' ~ D independent of x
  double prediction_spread = 0;  ///< standard deviation of PG
  double self_spread = 0;        ///< standard deviation of SPG
  double squared_mean = 0;       ///< |E grad L|^2
  double variance = 0;           ///< Var(grad L) = E|grad L - E grad L|^2
};

/// Computes all expectations by summing over every x and every pair (x, x').
Expectations expect(const Model& model, const Task& task, const Vector& theta, double alpha);

}  // namespace gradus::bias
