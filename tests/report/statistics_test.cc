// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/statistics.h"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace gradus::report {
namespace {

const double kNone = std::nan("");

TEST(Spread, IsMeanAndSampleDeviation) {
  // The deviations from the mean 5 are -3, -1, -1, -1, 0, 0, 2, 4. Their squares sum to 32; the
  // divisor is 7.
  const Spread all = spread(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_DOUBLE_EQ(all.mean, 5);
  EXPECT_DOUBLE_EQ(all.deviation, std::sqrt(32.0 / 7));
  EXPECT_EQ(all.n, 8);
}

TEST(Spread, LeavesOutWhatIsNotKnown) {
  const Spread some = spread(std::vector<double>{kNone, 1, kNone, 3});
  EXPECT_EQ(some.n, 2);
  EXPECT_DOUBLE_EQ(some.mean, 2);
  EXPECT_DOUBLE_EQ(some.deviation, std::sqrt(2.0));
}

TEST(Spread, OfOneHasNoDeviationAndOfNoneNoMean) {
  const Spread one = spread(std::vector<double>{3});
  EXPECT_DOUBLE_EQ(one.mean, 3);
  EXPECT_TRUE(std::isnan(one.deviation));
  const Spread none = spread(std::vector<double>{kNone});
  EXPECT_TRUE(std::isnan(none.mean));
  EXPECT_EQ(none.n, 0);
}

// Values from published tables of the t distribution.
// By hand: positions 0.75, 1.5 and 2.25 of 1, 2, 4, 8, as numpy.percentile computes them.
TEST(Quartiles, InterpolateBetweenValues) {
  const Quartiles of_four = quartiles(std::vector<double>{8, 1, NAN, 4, 2});
  EXPECT_DOUBLE_EQ(of_four.low, 1.75);
  EXPECT_DOUBLE_EQ(of_four.median, 3);
  EXPECT_DOUBLE_EQ(of_four.high, 5);
  const Quartiles of_one = quartiles(std::vector<double>{5});
  EXPECT_EQ(of_one.low, 5);
  EXPECT_EQ(of_one.high, 5);
  EXPECT_TRUE(std::isnan(quartiles(std::vector<double>{NAN}).median));
}

TEST(StudentLimit, IsThatOfPublishedTables) {
  EXPECT_NEAR(student_limit(1, 0.95), 12.706, 5e-4);
  EXPECT_NEAR(student_limit(2, 0.95), 4.303, 5e-4);
  EXPECT_NEAR(student_limit(3, 0.95), 3.182, 5e-4);
  EXPECT_NEAR(student_limit(4, 0.95), 2.776, 5e-4);
  EXPECT_NEAR(student_limit(10, 0.95), 2.228, 5e-4);
  EXPECT_NEAR(student_limit(30, 0.95), 2.042, 5e-4);
  EXPECT_NEAR(student_limit(120, 0.95), 1.980, 5e-4);
  EXPECT_NEAR(student_limit(2, 0.99), 9.925, 5e-4);
  EXPECT_NEAR(student_limit(10, 0.5), 0.700, 5e-4);
  EXPECT_NEAR(student_limit(1e6, 0.95), 1.959966, 1e-5);
}

TEST(StudentLimit, IsExactForOneAndTwoDegreesOfFreedom) {
  for (const double inside : {0.1, 0.5, 0.9, 0.95, 0.999}) {
    const double one = std::tan(std::numbers::pi * inside / 2);
    EXPECT_NEAR(student_limit(1, inside), one, 1e-7 * one);
    const double two = inside * std::sqrt(2 / (1 - inside * inside));
    EXPECT_NEAR(student_limit(2, inside), two, 1e-7 * two);
  }
}

// For fractional degrees of freedom, integrate the density over a million slices.
TEST(StudentLimit, HoldsTheShareOfTheDensityThatItSays) {
  for (const double freedom : {2.439, 5.5, 17.25}) {
    const double limit = student_limit(freedom, 0.95);
    const double scale = std::tgamma((freedom + 1) / 2) / std::tgamma(freedom / 2) /
                         std::sqrt(freedom * std::numbers::pi);
    constexpr int kSlices = 1'000'000;
    double sum = 0;
    for (int i = 0; i < kSlices; ++i) {
      const double t = (i + 0.5) * limit / kSlices;
      sum += std::pow(1 + t * t / freedom, -(freedom + 1) / 2);
    }
    EXPECT_NEAR(2 * scale * sum * limit / kSlices, 0.95, 1e-9);
  }
}

}  // namespace
}  // namespace gradus::report
