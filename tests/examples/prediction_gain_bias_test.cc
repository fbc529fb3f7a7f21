// SPDX-License-Identifier: Apache-2.0
// The paper's section 3.3 by exact expectations; examples/prediction_gain_bias.cc has the algebra.

#include "examples/prediction_gain_bias.h"

#include <cmath>

#include <gtest/gtest.h>

namespace gradus::bias {
namespace {

constexpr Vector kTheta = {0.2, -0.1};

Task logistic_task() {
  return {{{1, 0.5}, 1, 0.4}, {{1, 0.5}, -1, 0.1}, {{-1, 1}, -1, 0.3}, {{0.5, -2}, 1, 0.2}};
}

// Two points, gradients (0, 0) and (2, 0) at theta = 0, each half of the time. By hand, alpha 0.1:
//   E grad = (1, 0), Var = 1; a step on the second point takes its loss from 2 to 1.8^2 / 2 = 1.62
//   PG = 0 or 0.38, so E[PG] = 0.19; L_D goes from 1 to (0.2^2 + 1.8^2) / 4 = 0.82 half of the time
//   nu = 0.09 = E[PG] - alpha Var
TEST(PredictionGainBias, IsAsWorkedOutByHandOnTwoPoints) {
  const Task task = {{.x = {0, 0}, .probability = 0.5}, {.x = {-2, 0}, .probability = 0.5}};
  const Expectations e = expect(quadratic_model(), task, {0, 0}, 0.1);
  EXPECT_NEAR(e.squared_mean, 1, 1e-15);
  EXPECT_NEAR(e.variance, 1, 1e-15);
  EXPECT_NEAR(e.prediction_gain, 0.19, 1e-15);
  EXPECT_NEAR(e.progress, 0.09, 1e-15);
  EXPECT_NEAR(e.self_gain, 0.09, 1e-15);
}

// A difference that falls fourfold when alpha halves: its two sides agree to first order.
template <typename Difference>
void expect_second_order(Difference difference) {
  double coarse = 0;
  for (double alpha = 0.02; alpha > 0.001; alpha /= 2) {
    const Expectations e = expect(logistic_model(), logistic_task(), kTheta, alpha);
    const double fine = difference(e, alpha);
    if (coarse != 0) {
      EXPECT_NEAR(coarse / fine, 4, 0.1) << "halving alpha to " << alpha;
    }
    coarse = fine;
  }
}

TEST(PredictionGainBias, ExpectedPredictionGainIsProgressPlusAlphaTimesTheGradientVariance) {
  expect_second_order([](const Expectations& e, double alpha) {
    return e.prediction_gain - e.progress - alpha * e.variance;
  });
}

TEST(PredictionGainBias, TrueProgressIsAlphaTimesTheSquaredMeanGradient) {
  expect_second_order(
      [](const Expectations& e, double alpha) { return e.progress - alpha * e.squared_mean; });
}

// As printed, without alpha, the bias is off by a factor that grows as steps get smaller.
TEST(PredictionGainBias, IsNotTheVarianceWithoutAlpha) {
  const Expectations e = expect(logistic_model(), logistic_task(), kTheta, 1e-3);
  EXPECT_NEAR((e.prediction_gain - e.progress) / e.variance, 1e-3, 1e-5);
}

TEST(PredictionGainBias, SelfPredictionGainHasNoneAtAnyStepSize) {
  for (const double alpha : {1e-3, 0.1, 1.0, 10.0}) {
    const Expectations e = expect(logistic_model(), logistic_task(), kTheta, alpha);
    EXPECT_NEAR(e.self_gain, e.progress, 1e-14 * std::abs(e.progress) + 1e-15) << alpha;
  }
}

// Equal mean gradients: PG prefers the noisier task although less is learned from it.
TEST(PredictionGainBias, MakesANoisyTaskLookBetterThanAQuietOneThatTeachesMore) {
  const auto task = [](double spread) {
    return Task{{.x = {1 + spread, 0}, .probability = 0.5},
                {.x = {1 - spread, 0}, .probability = 0.5}};
  };
  const Expectations quiet = expect(quadratic_model(), task(0.5), kTheta, 0.1);
  const Expectations noisy = expect(quadratic_model(), task(2), kTheta, 0.1);
  EXPECT_NEAR(quiet.squared_mean, noisy.squared_mean, 1e-15);
  EXPECT_GT(noisy.prediction_gain, quiet.prediction_gain);
  EXPECT_LT(noisy.progress, quiet.progress);
  EXPECT_LT(noisy.self_gain, quiet.self_gain);
}

}  // namespace
}  // namespace gradus::bias
