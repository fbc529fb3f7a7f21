// SPDX-License-Identifier: Apache-2.0
#include "gradus/rewards/quantile_scale.h"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "gradus/core/error.h"
#include "tests/rewards/slow_scale.h"

namespace gradus {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::unique_ptr<RewardScale> default_scale() {
  return make_quantile_scale({}, 1);
}

std::unique_ptr<RewardScale> scale_after(const std::vector<double>& history) {
  auto scale = default_scale();
  for (const double raw : history) scale->scale(raw);
  return scale;
}

TEST(QuantileScale, KeepsTenThousandAndCutsAtTheFifthsByDefault) {
  EXPECT_EQ(default_scale()->settings(),
            json({{"low", 0.2}, {"high", 0.8}, {"reservoir", 10'000}}));
}

// history            position of 20%, 80%   q_lo  q_hi   r    scaled
// -                                                      3    0
// 3                  0, 0                   3     3      1    below: -1
// 1 3                0.2, 0.8               1.4   2.6    2    2 * 0.6/1.2 - 1 = 0
// 1 2 3              0.4, 1.6               1.4   2.6    2.3  2 * 0.9/1.2 - 1 = 0.5
// 1 2 2.3 3          0.6, 2.4               1.6   2.58   10   above: 1
// 1 2 2.3 3 10       0.8, 3.2               1.8   4.4    3.1  2 * 1.3/2.6 - 1 = 0
// 1 2 2.3 3 3.1 10   1, 4                   2     3.1    2    at q_lo: -1
TEST(QuantileScale, IsThatOfTheHistoryBeforeEachReward) {
  auto scale = default_scale();
  EXPECT_EQ(scale->scale(3), 0);
  EXPECT_EQ(scale->scale(1), -1);
  EXPECT_NEAR(scale->scale(2), 0, 1e-15);
  EXPECT_NEAR(scale->scale(2.3), 0.5, 1e-15);
  EXPECT_EQ(scale->scale(10), 1);
  EXPECT_NEAR(scale->scale(3.1), 0, 1e-15);
  EXPECT_EQ(scale->scale(2), -1);
}

TEST(QuantileScale, OfAConstantHistoryIsZeroForTheSameAndAnEndForAllElse) {
  EXPECT_EQ(scale_after({5, 5, 5})->scale(5), 0);
  EXPECT_EQ(scale_after({5, 5, 5})->scale(std::nextafter(5, 6)), 1);
  EXPECT_EQ(scale_after({5, 5, 5})->scale(std::nextafter(5, 4)), -1);
  EXPECT_EQ(scale_after({0, -0.0, 0})->scale(-0.0), 0);
}

TEST(QuantileScale, RangeIsWhatMapsToTheEnds) {
  EXPECT_TRUE(std::isnan(default_scale()->range().low));
  EXPECT_TRUE(std::isnan(default_scale()->range().high));
  const auto scale = scale_after({10, 20, 30, 40, 50});
  EXPECT_DOUBLE_EQ(scale->range().low, 18);
  EXPECT_DOUBLE_EQ(scale->range().high, 42);
}

TEST(QuantileScale, StaysInItsIntervalForHugeAndTinyRewards) {
  for (const double size : {1.7e308, 5e-324}) {
    auto scale = default_scale();
    for (const double sign : {-1, 1, 0, 1, -1, 0, 1}) {
      const double scaled = scale->scale(sign * size);
      EXPECT_GE(scaled, -1);
      EXPECT_LE(scaled, 1);
    }
  }
}

RC_GTEST_PROP(QuantileScale, AgreesWithASortedHistory, (std::uint64_t seed)) {
  const double low = *rc::gen::inRange(0, 50) / 100.0;
  const double high = *rc::gen::inRange(51, 101) / 100.0;
  const auto capacity = *rc::gen::inRange<std::int64_t>(1, 30);
  // Whole numbers repeat often, hundredths rarely.
  const double unit = *rc::gen::element(1.0, 0.01);
  const auto raws = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-300, 300));
  auto scale = make_quantile_scale({low, high, capacity}, seed);
  SlowScale slow(low, high, static_cast<std::size_t>(capacity), seed);
  for (const int raw : raws) {
    RC_ASSERT(std::abs(scale->scale(raw * unit) - slow.scale(raw * unit)) < 1e-9);
  }
}

RC_GTEST_PROP(QuantileScale, RestoredFromTextGoesOnIdentically, (std::uint64_t seed)) {
  const auto raws = *rc::gen::arbitrary<std::vector<double>>();
  const auto cut = *rc::gen::inRange<std::size_t>(0, raws.size() + 1);
  const QuantileScaleSettings settings{.reservoir = *rc::gen::inRange<std::int64_t>(1, 20)};
  auto original = make_quantile_scale(settings, seed);
  for (std::size_t i = 0; i < cut; ++i) original->scale(raws[i]);
  auto restored = make_quantile_scale(settings, seed);
  restored->restore(json::parse(original->state().dump()));
  for (std::size_t i = cut; i < raws.size(); ++i) {
    RC_ASSERT(restored->scale(raws[i]) == original->scale(raws[i]));
  }
  RC_ASSERT(restored->state() == original->state());
}

struct Damage {
  const char* name;
  const char* state;
  const char* message;
};

class QuantileScaleRefuses : public testing::TestWithParam<Damage> {};

TEST_P(QuantileScaleRefuses, ADamagedStateAndStaysAsItWas) {
  auto scale = make_quantile_scale({.reservoir = 3}, 1);
  for (const double raw : {1, 2}) scale->scale(raw);
  const json before = scale->state();
  try {
    scale->restore(json::parse(GetParam().state));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
  }
  EXPECT_EQ(scale->state(), before);
}

INSTANTIATE_TEST_SUITE_P(
    States, QuantileScaleRefuses,
    testing::Values(
        Damage{"Null", "null", "damaged"}, Damage{"NoSeen", R"({"values": [1]})", "no \"seen\""},
        Damage{"NoValues", R"({"seen": 1})", "no \"values\""},
        Damage{"NegativeSeen", R"({"seen": -1, "values": []})", "seen is -1"},
        Damage{"FractionalSeen", R"({"seen": 1.0, "values": [1]})", "seen is 1.0"},
        Damage{"TooFew", R"({"seen": 2, "values": [1]})", "1 numbers, expected 2"},
        Damage{"TooMany", R"({"seen": 9, "values": [1, 2, 3, 4]})", "4 numbers, expected 3"},
        Damage{"NotANumber", R"({"seen": 1, "values": ["1"]})", "values[0] is of type string"},
        Damage{"NanBecameNull", R"({"seen": 1, "values": [null]})", "values[0] is of type null"}),
    [](const auto& info) { return info.param.name; });

TEST(QuantileScale, RefusesSettingsOutOfRangeNamingThem) {
  const auto refusal = [](const QuantileScaleSettings& settings) -> std::string {
    try {
      make_quantile_scale(settings, 1);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal({.low = -0.1}), HasSubstr("-0.1 and 0.8"));
  EXPECT_THAT(refusal({.high = 1.1}), HasSubstr("0.2 and 1.1"));
  EXPECT_THAT(refusal({.low = 0.5, .high = 0.5}), HasSubstr("0 <= low < high <= 1"));
  EXPECT_THAT(refusal({.low = std::nan("")}), HasSubstr("nan"));
  EXPECT_THAT(refusal({.reservoir = 0}),
              HasSubstr("reservoir is 0, expected a whole number from 1 to 1e+08"));
  EXPECT_THAT(refusal({.reservoir = -5}), HasSubstr("reservoir is -5"));
  EXPECT_EQ(refusal({.low = 0, .high = 1, .reservoir = 1}), "accepted");
}

}  // namespace
}  // namespace gradus
