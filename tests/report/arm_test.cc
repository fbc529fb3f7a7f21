// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/arm.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

namespace gradus::report {
namespace {

// Three runs reached the threshold at exp(1), exp(2) and exp(4) steps; two others stopped short of
// it at exp(3) and exp(5).
const std::vector<Reach> kSome = {{std::exp(1), true},
                                  {std::exp(2), true},
                                  {std::exp(3), false},
                                  {std::exp(4), true},
                                  {std::exp(5), false}};

double log_likelihood(const std::vector<Reach>& runs, double mean, double deviation) {
  double sum = 0;
  for (const Reach& run : runs) {
    const double z = (std::log(run.steps) - mean) / deviation;
    sum += run.reached ? -z * z / 2 - std::log(deviation)
                       : std::log(std::erfc(z / std::numbers::sqrt2) / 2);
  }
  return sum;
}

// The maximum of a function with one peak, found by repeated scans around the best point.
double highest(const std::function<double(double)>& f, double low, double high, double* where) {
  double best = low;
  for (int round = 0; round < 12; ++round) {
    const double step = (high - low) / 40;
    for (double x = low; x <= high; x += step) {
      if (f(x) > f(best)) best = x;
    }
    low = std::max(best - 2 * step, 1e-9);
    high = best + 2 * step;
  }
  *where = best;
  return f(best);
}

double best_for_mean(const std::vector<Reach>& runs, double mean) {
  double deviation = 0;
  return highest([&](double d) { return log_likelihood(runs, mean, d); }, 0.01, 40, &deviation);
}

TEST(Arm, OfRunsThatAllReachedItIsMeanAndStandardErrorOfTheLogs) {
  const Arm arm(std::vector<Reach>{{std::exp(2), true}, {std::exp(3), true}, {std::exp(7), true}});
  EXPECT_TRUE(arm.has_estimate());
  EXPECT_NEAR(arm.centre(), 4, 1e-12);
  EXPECT_NEAR(arm.variance(), 7.0 / 3, 1e-12);  // (2^2 + 1^2 + 3^2) / 2 / 3
  EXPECT_NEAR(arm.distance(2, 1), 2 * std::sqrt(7.0 / 3), 1e-12);
  EXPECT_NEAR(arm.distance(2, -1), 2 * std::sqrt(7.0 / 3), 1e-12);
}

TEST(Arm, WithRunsThatFellShortIsWhereTheLikelihoodIsHighest) {
  const Arm arm(kSome);
  ASSERT_TRUE(arm.has_estimate());
  EXPECT_FALSE(arm.all_reached());
  double mean = 0;
  highest([&](double m) { return best_for_mean(kSome, m); }, 0, 20, &mean);
  EXPECT_NEAR(arm.centre(), mean, 1e-5);
  EXPECT_GT(arm.centre(), 3);  // 3 is the mean of the logs of all steps done
}

// At the limits, the profile log-likelihood is n/2 log(1 + t^2 / (n - 1)) below its maximum.
TEST(Arm, WithRunsThatFellShortHasTheLimitsOfTheLikelihood) {
  const Arm arm(kSome);
  const double peak = best_for_mean(kSome, arm.centre());
  for (const double t : {1.0, 2.776, 4.303}) {
    const double drop = 2.5 * std::log1p(t * t / 4);
    EXPECT_NEAR(best_for_mean(kSome, arm.centre() - arm.distance(t, -1)), peak - drop, 1e-6);
    EXPECT_NEAR(best_for_mean(kSome, arm.centre() + arm.distance(t, 1)), peak - drop, 1e-6);
    EXPECT_GT(arm.distance(t, 1), arm.distance(t, -1));  // a censored run is a lower bound only
  }
}

// The second derivative, by finite differences, of the likelihood with the best deviation for each
// mean.
TEST(Arm, HasTheVarianceOfTheLikelihoodsCurvature) {
  const Arm arm(kSome);
  const double h = 1e-2;
  const double curvature =
      (best_for_mean(kSome, arm.centre() + h) + best_for_mean(kSome, arm.centre() - h) -
       2 * best_for_mean(kSome, arm.centre())) /
      (h * h);
  EXPECT_NEAR(arm.variance(), -5.0 / 4 / curvature, 1e-3 * arm.variance());
}

// A run that stopped long before any other reached the threshold adds almost no information.
TEST(Arm, IsHardlyChangedByARunThatHasJustBegun) {
  const std::vector<Reach> reached = {{1e6, true}, {1.2e6, true}, {1.1e6, true}};
  std::vector<Reach> more = reached;
  more.push_back({10, false});
  EXPECT_NEAR(Arm(more).centre(), Arm(reached).centre(), 1e-9);
  more.back().steps = 0;
  EXPECT_EQ(Arm(more).centre(), Arm(reached).centre());
  EXPECT_EQ(Arm(more).runs(), 3);
}

TEST(Arm, WithTooFewReachedIsABound) {
  const Arm one(std::vector<Reach>{{100, true}, {10'000, false}, {10'000, false}});
  EXPECT_FALSE(one.has_estimate());
  EXPECT_NEAR(std::exp(one.centre()), std::cbrt(1e10), 1e-6);
  EXPECT_FALSE(Arm(std::vector<Reach>{{100, true}, {1000, false}}).has_estimate());
  EXPECT_FALSE(Arm(std::vector<Reach>{{100, true}, {100, true}, {50, false}}).has_estimate());
  EXPECT_FALSE(Arm(std::vector<Reach>{}).has_estimate());
}

}  // namespace
}  // namespace gradus::report
