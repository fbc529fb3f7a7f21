#include "gradus/report/statistics.h"

#include <cmath>
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

}  // namespace
}  // namespace gradus::report
