// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/activations.h"

#include <limits>

#include <gtest/gtest.h>

namespace gradus {
namespace {

// Every 4099th float, of both signs and all exponents.
template <typename Check>
void for_many_floats(Check check) {
  for (std::uint64_t bits = 0; bits < 0x100000000u; bits += 4099) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (std::isfinite(x)) check(x);
  }
}

// Relative errors. Skips inputs of the sigmoid below -60 and of the tangent within 1e-30 of 0: near
// the end of float's normal range no such precision is possible.
TEST(Activations, FloatIsWithin2e7OfTheTruthInProportionToIt) {
  double worst_sigmoid = 0;
  double worst_tangent = 0;
  for_many_floats([&](float x) {
    const double s = sigmoid(double{x});
    const double t = hyperbolic_tangent(double{x});
    if (x > -60) worst_sigmoid = std::max(worst_sigmoid, std::abs(sigmoid(x) - s) / s);
    if (std::abs(x) > 1e-30) {
      worst_tangent = std::max(worst_tangent, std::abs((hyperbolic_tangent(x) - t) / t));
    }
  });
  EXPECT_LT(worst_sigmoid, 2e-7);
  EXPECT_LT(worst_tangent, 2e-7);
}

TEST(Activations, StayInTheirRangeAndKeepNan) {
  for_many_floats([](float x) {
    ASSERT_GE(sigmoid(x), 0.0f) << x;
    ASSERT_LE(sigmoid(x), 1.0f) << x;
    ASSERT_GE(hyperbolic_tangent(x), -1.0f) << x;
    ASSERT_LE(hyperbolic_tangent(x), 1.0f) << x;
  });
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(hyperbolic_tangent(infinity), 1.0f);
  EXPECT_EQ(hyperbolic_tangent(-infinity), -1.0f);
  EXPECT_TRUE(std::isnan(sigmoid(std::numeric_limits<float>::quiet_NaN())));
}

}  // namespace
}  // namespace gradus
