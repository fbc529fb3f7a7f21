// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gradus/core/random.h"
#include "gradus/policies/policies.h"
#include "tests/refusal.h"

namespace gradus {
namespace {

using nlohmann::json;
using testing::DoubleNear;
using testing::Each;
using testing::HasSubstr;

// So little exploration that it does not show.
constexpr double kNone = 1e-12;

// The quadrature ends 5 deviations from the means, which leaves out 3e-7 per task.
constexpr double kTolerance = 1e-6;

// window = 2, so g = 1/2. Of two Gaussians, the first is larger with probability
// Phi((m_0 - m_1) / sqrt(v_0 + v_1)).
// Task 0 earns 1: m_0 = 1/2, v_0 = 1/2, m_1 = 0, v_1 = 1; Phi(0.5 / sqrt(1.5)) = Phi(0.408248).
// Task 1 earns 1: N = 1/2, 1; m = (1/2) / (3/2) = 1/3 and 1/2; v = 2/3 and 1/2;
//   Phi(-(1/6) / sqrt(7/6)) = Phi(-0.154303).
TEST(Thompson, HasTheProbabilitiesWorkedByHand) {
  const auto policy = make_thompson(2, 2, kNone);
  EXPECT_THAT(policy->probabilities(), Each(DoubleNear(0.5, 1e-15)));
  policy->update(0, 0.5, 1);
  EXPECT_NEAR(policy->probability(0), 0.658454, kTolerance);
  policy->update(1, 0.5, 1);
  EXPECT_NEAR(policy->probability(0), 0.438685, kTolerance);
  EXPECT_EQ(policy->state(), json({{"counts", {0.5, 1.0}}, {"sums", {0.5, 1.0}}}));
}

double normal_cdf(double z) {
  return std::erfc(-z / std::sqrt(2)) / 2;
}

// One task known well and one hardly known, at many distances of their means.
TEST(Thompson, OfTwoTasksAgreesWithTheClosedForm) {
  for (const double many : {0.0, 10.0, 1000.0, 100'000.0}) {
    for (double mean = -0.9; mean < 1; mean += 0.3) {
      const auto policy = make_thompson(2, 1e6, kNone);
      policy->restore({{"counts", {many, 3.0}}, {"sums", {mean * many, 1.5}}});
      const double m = mean * many / (many + 1) - 1.5 / 4;
      EXPECT_NEAR(policy->probability(0), normal_cdf(m / std::sqrt(1 / (many + 1) + 0.25)), 1e-5);
    }
  }
}

// 100,000 draws of one theta per task; four standard deviations.
TEST(Thompson, AgreesWithDrawingThetas) {
  const std::vector<double> counts = {40, 10, 2, 0, 25};
  const std::vector<double> sums = {10, 4, -1, 0, 9};
  const auto policy = make_thompson(5, 100, kNone);
  policy->restore({{"counts", counts}, {"sums", sums}});
  constexpr int kDraws = 100'000;
  std::vector<int> largest(5);
  Random random(1, Purpose::kSample, 0);
  for (int draw = 0; draw < kDraws; ++draw) {
    int best = 0;
    double best_theta = -HUGE_VAL;
    for (int i = 0; i < 5; ++i) {
      const double theta = sums[i] / (counts[i] + 1) + random.normal() / std::sqrt(counts[i] + 1);
      if (theta > best_theta) best = i;
      best_theta = std::max(best_theta, theta);
    }
    ++largest[best];
  }
  for (int i = 0; i < 5; ++i) {
    const double p = policy->probability(i);
    EXPECT_NEAR(largest[i], kDraws * p, 4 * std::sqrt(kDraws * p * (1 - p))) << i;
  }
}

TEST(Thompson, AHopelessTaskKeepsItsExploration) {
  const auto policy = make_thompson(2, 1e6, 0.1);
  policy->restore({{"counts", {1e5, 1e5}}, {"sums", {9e4, -9e4}}});
  EXPECT_NEAR(policy->probability(1), 0.05, 1e-12);
  EXPECT_NEAR(policy->probability(0), 0.95, 1e-12);
}

TEST(Thompson, ANewTaskHasThePrior) {
  const auto policy = make_thompson(1, 2, kNone);
  policy->update(0, 1, 1);
  policy->add_task();
  EXPECT_NEAR(policy->probability(0), 0.658454, kTolerance);
}

TEST(Thompson, RefusesNoExploration) {
  EXPECT_THAT(refusal_of([] { make_thompson(2, {}, 0); }), HasSubstr("epsilon is 0"));
}

}  // namespace
}  // namespace gradus
