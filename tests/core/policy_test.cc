// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/policy.h"

#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace gradus {
namespace {

// Quarters add without rounding: [0, 0.25) is 0, [0.25, 0.75) is 2, [0.75, 1) is 3.
TEST(DrawFrom, GivesEachTaskItsIntervalClosedBelow) {
  const std::vector<double> p = {0.25, 0, 0.5, 0.25, 0};
  EXPECT_EQ(draw_from(p, 0), 0);
  EXPECT_EQ(draw_from(p, std::nextafter(0.25, 0)), 0);
  EXPECT_EQ(draw_from(p, 0.25), 2);
  EXPECT_EQ(draw_from(p, std::nextafter(0.75, 0)), 2);
  EXPECT_EQ(draw_from(p, 0.75), 3);
  EXPECT_EQ(draw_from(p, std::nextafter(1, 0)), 3);
}

TEST(DrawFrom, NeverGivesATaskOfProbabilityZero) {
  EXPECT_EQ(draw_from(std::vector<double>{0, 1, 0}, 0), 1);
  EXPECT_EQ(draw_from(std::vector<double>{0, 1, 0}, std::nextafter(1, 0)), 1);
}

// Adding 0.1 ten times gives 1 - 2^-53, which is also the largest possible u.
TEST(DrawFrom, GivesTheLastPossibleTaskWhereRoundingLeavesARest) {
  std::vector<double> p(10, 0.1);
  p.push_back(0);
  EXPECT_EQ(draw_from(p, std::nextafter(1, 0)), 9);
}

TEST(DrawFrom, RefusesADistributionWithoutAnyProbability) {
  EXPECT_THROW(draw_from(std::vector<double>{0, 0}, 0.5), std::logic_error);
  EXPECT_THROW(draw_from({}, 0.5), std::logic_error);
}

RC_GTEST_PROP(DrawFrom, GivesAPossibleTaskThatGrowsWithU, ()) {
  auto weights = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 4));
  weights.insert(weights.begin() + *rc::gen::inRange<std::size_t>(0, weights.size() + 1), 1);
  std::vector<double> p(weights.begin(), weights.end());
  double sum = 0;
  for (const double weight : p) sum += weight;
  for (double& entry : p) entry /= sum;
  int last = 0;
  for (int i = 0; i < 1000; ++i) {
    const int task = draw_from(p, i / 1000.0);
    RC_ASSERT(p.at(task) > 0);
    RC_ASSERT(task >= last);
    last = task;
  }
}

TEST(Entropy, IsZeroForCertaintyAndTheLogarithmForUniform) {
  EXPECT_EQ(entropy(std::vector<double>{0, 1, 0}), 0);
  EXPECT_NEAR(entropy(std::vector<double>(169, 1.0 / 169)), std::log(169.0), 1e-12);
}

// 1/2 log 2 + 2 * 1/4 log 4 = 3/2 log 2.
TEST(Entropy, IsInNats) {
  EXPECT_NEAR(entropy(std::vector<double>{0.5, 0.25, 0.25}), 1.5 * std::log(2.0), 1e-15);
}

// |0.5 - 0.25| + |0.3 - 0.25| + 2 |0.1 - 0.25| = 0.6, half of which is moved.
TEST(DistanceFromUniform, IsTheShareOfDrawsThatMoved) {
  EXPECT_EQ(distance_from_uniform(std::vector<double>(8, 0.125)), 0);
  EXPECT_NEAR(distance_from_uniform(std::vector<double>{0.5, 0.3, 0.1, 0.1}), 0.3, 1e-15);
  EXPECT_EQ(distance_from_uniform(std::vector<double>{0, 1, 0, 0}), 0.75);
}

}  // namespace
}  // namespace gradus
