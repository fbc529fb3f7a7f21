// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/rmsprop.h"

#include <gtest/gtest.h>

namespace gradus {
namespace {

// Two updates with gradients 2 and -1 from theta = 1, worked by hand:
//   n1 = 0.05 * 4 = 0.2          m1 = 0.05 * 2 = 0.1
//   d1 = -0.01 * 2 / sqrt(0.2 - 0.01 + 0.0001)
//   n2 = 0.95 * 0.2 + 0.05 = 0.24   m2 = 0.95 * 0.1 - 0.05 = 0.045
//   d2 = 0.9 d1 + 0.01 / sqrt(0.24 - 0.002025 + 0.0001)
TEST(RmsProp, FollowsGraves2013) {
  RmsProp<double> optimiser({.learning_rate = 0.01, .epsilon = 1e-4}, 1);
  std::vector<double> theta = {1};
  std::vector<double> gradient = {2};
  optimiser.update(0, 1, 1, 0, gradient, theta);
  const double d1 = -0.02 / std::sqrt(0.1901);
  EXPECT_NEAR(theta[0], 1 + d1, 1e-15);
  gradient = {-1};
  optimiser.update(0, 1, 1, 0, gradient, theta);
  const double d2 = 0.9 * d1 + 0.01 / std::sqrt(0.238075);
  EXPECT_NEAR(theta[0], 1 + d1 + d2, 1e-15);
  EXPECT_NEAR(optimiser.variances()[0], 0.24 - 0.045 * 0.045, 1e-15);
  EXPECT_NEAR(optimiser.means()[0], 0.045, 1e-15);
}

TEST(RmsProp, LeavesTheMeanOutWhenNotCentred) {
  RmsProp<double> optimiser({.learning_rate = 0.01, .epsilon = 1e-4, .centred = false}, 1);
  std::vector<double> theta = {0};
  std::vector<double> gradient = {2};
  optimiser.update(0, 1, 1, 0, gradient, theta);
  EXPECT_NEAR(theta[0], -0.02 / std::sqrt(0.2001), 1e-15);
}

TEST(RmsProp, UpdatesOnlyItsRangeAndScalesTheGradient) {
  RmsProp<double> optimiser({.learning_rate = 0.01, .epsilon = 1e-4}, 3);
  std::vector<double> theta = {0, 0, 0};
  std::vector<double> gradient = {4, 4, 4};
  optimiser.update(1, 2, 0.5, 0, gradient, theta);
  EXPECT_EQ(theta[0], 0);
  EXPECT_EQ(theta[2], 0);
  EXPECT_NEAR(theta[1], -0.02 / std::sqrt(0.1901), 1e-15);
}

// A gradient of 2 and a decay of 0.5 at theta = 4 give a gradient of 4, and the update uses half of
// it. 35 parameters cover all lanes of a vector and the remainder.
TEST(RmsProp, AddsTheWeightDecayToTheGradientBeforeItIsScaled) {
  RmsProp<float> optimiser({.learning_rate = 0.01, .epsilon = 1e-4}, 35);
  std::vector<float> theta(35, 4.0f), gradient(35, 2.0f);
  optimiser.update(0, 35, 0.5f, 0.5f, gradient, theta);
  for (int i = 0; i < 35; ++i) {
    EXPECT_EQ(gradient[i], 4) << i;
    EXPECT_NEAR(theta[i], 4 - 0.02 / std::sqrt(0.1901), 1e-6) << i;
  }
}

// Nearly constant gradients of 85, like those of a repeat-copy output bias at the start.
TEST(RmsProp, TakesTheSameStepsInFloatWhenLargeGradientsAreNearlySteady) {
  RmsProp<float> single({.epsilon = 1e-4}, 1);
  RmsProp<double> exact({.epsilon = 1e-4}, 1);
  std::vector<float> theta = {0};
  std::vector<double> exact_theta = {0};
  for (int update = 0; update < 1000; ++update) {
    std::vector<float> gradient = {85 + 0.01f * static_cast<float>(update * 7 % 11)};
    std::vector<double> exact_gradient = {gradient[0]};
    single.update(0, 1, 1, 0, gradient, theta);
    exact.update(0, 1, 1, 0, exact_gradient, exact_theta);
    ASSERT_NEAR(single.steps()[0], exact.steps()[0], 1e-3 * -exact.steps()[0]) << update;
  }
}

}  // namespace
}  // namespace gradus
