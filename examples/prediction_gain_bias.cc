// SPDX-License-Identifier: Apache-2.0
// Section 3.3 of the paper as a table of exact expectations, without sampling: prediction gain is
// biased towards tasks with noisy gradients, self prediction gain is not.
//
// For a plain gradient step of size alpha on x ~ D, to first order in alpha,
//
//   true progress  nu     = alpha |E grad L|^2
//                  E[PG]  = alpha E|grad L|^2 = nu + alpha Var(grad L)
//                  E[SPG] = nu, exactly and for any alpha
//
// The last line of the paper's derivation has nu + Var(grad L), without the alpha of the lines
// before. The remainder is of order alpha^2. It is zero if all examples have the same curvature, as
// in the quadratic model. SPG uses two samples, so it usually varies more than PG; on the quiet
// task it varies less.

#include "examples/prediction_gain_bias.h"

#include <cstdio>

namespace {

using namespace gradus::bias;

// Points at +-spread around (1, 0): the mean gradient does not depend on the spread.
Task cross(double spread) {
  return {{.x = {1 + spread, 0}, .probability = 0.25},
          {.x = {1 - spread, 0}, .probability = 0.25},
          {.x = {1, spread}, .probability = 0.25},
          {.x = {1, -spread}, .probability = 0.25}};
}

// Labels agree with the sign of the first feature nine times in ten.
Task noisy_labels() {
  return {{{1, 0.5}, 1, 0.45}, {{1, 0.5}, -1, 0.05}, {{-1, 1}, -1, 0.45}, {{-1, 1}, 1, 0.05}};
}

void print_row(double alpha, const Expectations& e) {
  const double bias = alpha * e.variance;
  std::printf("%8.4f %12.3e %12.3e %12.3e %12.3e %12.3e %10.1e %10.1e\n", alpha, e.progress,
              e.self_gain, e.prediction_gain, bias, e.prediction_gain - e.progress - bias,
              e.prediction_spread, e.self_spread);
}

void print_table(const char* title, const Model& model, const Task& task) {
  std::printf("\n%s\n%8s %12s %12s %12s %12s %12s %10s %10s\n", title, "alpha", "nu", "E[SPG]",
              "E[PG]", "alpha Var", "remainder", "sd PG", "sd SPG");
  for (const double alpha : {0.4, 0.2, 0.1, 0.05, 0.025, 0.0125}) {
    print_row(alpha, expect(model, task, {0.2, -0.1}, alpha));
  }
}

}  // namespace

int main() {
  std::puts("E[PG] = nu + alpha Var(grad L) + remainder");
  print_table("Logistic model: the remainder falls fourfold when alpha halves", logistic_model(),
              noisy_labels());
  print_table("Quadratic model, quiet task (spread 0.5): no remainder", quadratic_model(),
              cross(0.5));
  print_table("Quadratic model, noisy task (spread 2): the same mean gradient", quadratic_model(),
              cross(2));
  std::puts(
      "\nOf the last two tasks, PG prefers the noisy one at every alpha. SPG prefers the quiet");
  std::puts("one, from which more is learned.");
}
