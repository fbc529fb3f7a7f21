#include "gradus/report/statistics.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace gradus::report {
namespace {

const double kNone = std::nan("");

TEST(Spread, IsMeanAndSampleDeviation) {
  // Deviations from the mean 5 are -3, -1, -1, -1, 0, 0, 2, 4: squares add to 32, over 7.
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

TEST(Quantile, IsLinearBetweenOrderStatistics) {
  EXPECT_DOUBLE_EQ(quantile({30, 10, 20}, 0.5), 20);
  EXPECT_DOUBLE_EQ(quantile({30, 10, 20}, 0.25), 15);
  EXPECT_DOUBLE_EQ(quantile({30, 10, 20}, 0), 10);
  EXPECT_DOUBLE_EQ(quantile({30, 10, 20}, 1), 30);
}

// Means of all samples of three with replacement, each as likely: 27 of them.
std::vector<double> all_means(const std::vector<double>& values) {
  std::vector<double> means;
  for (const double a : values) {
    for (const double b : values) {
      for (const double c : values) means.push_back((a + b + c) / 3);
    }
  }
  return means;
}

// The 729 ratios of two lists of three are the exact bootstrap distribution. An end of the interval
// from 10,000 draws must lie where that distribution passes 2.5% or 97.5%, within 1%: the standard
// error of a share of 0.025 is 0.0016, and an atom of the distribution is 0.0014 or a few of them.
TEST(Bootstrap, AgreesWithTheExactDistribution) {
  const std::vector<double> top = {4, 5.5, 9.1};
  const std::vector<double> bottom = {1, 2.3, 2.9};
  std::vector<double> ratios;
  for (const double a : all_means(top)) {
    for (const double b : all_means(bottom)) ratios.push_back(a / b);
  }
  const auto share_below = [&](double bound) {
    const auto below =
        std::count_if(ratios.begin(), ratios.end(), [&](double ratio) { return ratio < bound; });
    return static_cast<double>(below) / static_cast<double>(ratios.size());
  };
  const Interval interval = bootstrap_ratio(top, bottom, 0);
  EXPECT_NEAR(share_below(interval.low), 0.025, 0.01);
  EXPECT_NEAR(share_below(interval.high), 0.975, 0.01);
}

TEST(Bootstrap, IsTheSameEveryTime) {
  const std::vector<double> top = {4, 5, 9};
  const std::vector<double> bottom = {1, 2, 3};
  const Interval first = bootstrap_ratio(top, bottom, 7);
  const Interval again = bootstrap_ratio(top, bottom, 7);
  EXPECT_EQ(first.low, again.low);
  EXPECT_EQ(first.high, again.high);
}

TEST(Bootstrap, OfRunsThatAreAllAlikeIsTheirRatio) {
  const Interval interval =
      bootstrap_ratio(std::vector<double>{6, 6}, std::vector<double>{4, 4}, 0);
  EXPECT_DOUBLE_EQ(interval.low, 1.5);
  EXPECT_DOUBLE_EQ(interval.high, 1.5);
}

}  // namespace
}  // namespace gradus::report
