// SPDX-License-Identifier: Apache-2.0
#include "gradus/rewards/reservoir.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "gradus/core/random.h"

namespace gradus {
namespace {

using testing::ElementsAre;

std::vector<double> in_order(const OrderedSlots& slots) {
  std::vector<double> values;
  for (std::uint32_t rank = 0; rank < slots.size(); ++rank) values.push_back(slots.at_rank(rank));
  return values;
}

std::vector<double> sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

// A narrow range of values gives many equal ones.
RC_GTEST_PROP(OrderedSlots, IsASortedListUnderAnyPushesAndReplacements, ()) {
  const auto capacity = *rc::gen::inRange<std::uint32_t>(1, 40);
  const auto values = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-20, 20));
  OrderedSlots slots(capacity);
  std::vector<double> expected;
  for (const int value : values) {
    if (expected.size() < capacity) {
      slots.push(value);
      expected.push_back(value);
    } else {
      const auto slot = *rc::gen::inRange<std::uint32_t>(0, capacity);
      slots.replace(slot, value);
      expected[slot] = value;
    }
    RC_ASSERT(slots.size() == expected.size());
    RC_ASSERT(in_order(slots) == sorted(expected));
    for (std::uint32_t i = 0; i < slots.size(); ++i) RC_ASSERT(slots.value(i) == expected[i]);
  }
}

TEST(OrderedSlots, IsASortedListAfterManyReplacements) {
  constexpr std::uint32_t kCapacity = 2000;
  Random random(1, Purpose::kSample, 0);
  OrderedSlots slots(kCapacity);
  std::vector<double> expected;
  for (std::uint32_t i = 0; i < kCapacity; ++i) {
    expected.push_back(random.normal());
    slots.push(expected.back());
  }
  for (int i = 0; i < 20'000; ++i) {
    const std::uint32_t slot = random.below(kCapacity);
    expected[slot] = random.below(100);
    slots.replace(slot, expected[slot]);
  }
  EXPECT_EQ(in_order(slots), sorted(expected));
}

// If the tree degenerated to a list, this would take hours and overflow the stack.
TEST(OrderedSlots, TakesSortedAndEqualNumbersAsWellAsAny) {
  constexpr std::uint32_t kCapacity = 200'000;
  OrderedSlots rising(kCapacity);
  OrderedSlots equal(kCapacity);
  for (std::uint32_t i = 0; i < kCapacity; ++i) {
    rising.push(i);
    equal.push(7);
  }
  for (std::uint32_t rank = 0; rank < kCapacity; rank += 1000) {
    ASSERT_EQ(rising.at_rank(rank), rank);
    ASSERT_EQ(equal.at_rank(rank), 7);
  }
}

Reservoir reservoir_of(const std::vector<double>& values) {
  Reservoir reservoir(100, 1);
  for (const double value : values) reservoir.add(value);
  return reservoir;
}

// Five numbers: 20% is at position 0.8, 80% at 3.2.
TEST(Reservoir, QuantileInterpolatesBetweenOrderStatistics) {
  const Reservoir five = reservoir_of({50, 10, 40, 20, 30});
  EXPECT_DOUBLE_EQ(five.quantile(0.2), 18);
  EXPECT_DOUBLE_EQ(five.quantile(0.8), 42);
  EXPECT_EQ(five.quantile(0), 10);
  EXPECT_EQ(five.quantile(0.25), 20);
  EXPECT_EQ(five.quantile(0.5), 30);
  EXPECT_EQ(five.quantile(1), 50);
}

TEST(Reservoir, QuantileOfOneNumberIsThatNumber) {
  for (const double p : {0.0, 0.2, 0.5, 0.8, 1.0}) EXPECT_EQ(reservoir_of({-3}).quantile(p), -3);
}

TEST(Reservoir, QuantileBetweenHugeNumbersOfOppositeSignIsFinite) {
  const Reservoir huge = reservoir_of({-1.5e308, 1.5e308});
  EXPECT_NEAR(huge.quantile(0.5), 0, 1e293);
  EXPECT_NEAR(huge.quantile(0.8) / 1.5e308, 0.6, 1e-12);
}

RC_GTEST_PROP(Reservoir, QuantileNeverLeavesItsOrderStatisticsAndGrowsWithP, ()) {
  const auto values = *rc::gen::nonEmpty(rc::gen::arbitrary<std::vector<double>>());
  const Reservoir reservoir = reservoir_of(values);
  double last = reservoir.quantile(0);
  RC_ASSERT(last == *std::min_element(values.begin(), values.end()));
  for (int i = 1; i <= 50; ++i) {
    const double now = reservoir.quantile(i / 50.0);
    RC_ASSERT(now >= last);
    last = now;
  }
  RC_ASSERT(last == *std::max_element(values.begin(), values.end()));
}

TEST(Reservoir, KeepsEverythingUntilItIsFull) {
  Reservoir reservoir(3, 1);
  for (const double value : {3, 1, 2}) reservoir.add(value);
  EXPECT_THAT(reservoir.values(), ElementsAre(3, 1, 2));
  reservoir.add(4);
  EXPECT_EQ(reservoir.size(), 3u);
  EXPECT_EQ(reservoir.seen(), 4u);
}

// Counts how often each of `items` numbers is in a sample of `capacity`, over many seeds. The
// counts of a sample without replacement have less variance than independent ones, by the factor
// 1 - capacity / items. After dividing by that factor, (items - 1) / items of the sum is
// chi-square with items - 1 degrees of freedom.
TEST(Reservoir, HoldsEveryNumberWithTheSameProbability) {
  constexpr int kItems = 50;
  constexpr int kCapacity = 10;
  constexpr int kTrials = 5000;
  std::vector<int> counts(kItems);
  for (int seed = 0; seed < kTrials; ++seed) {
    Reservoir reservoir(kCapacity, seed);
    for (int i = 0; i < kItems; ++i) reservoir.add(i);
    for (const double value : reservoir.values()) ++counts[static_cast<int>(value)];
  }
  const double share = static_cast<double>(kCapacity) / kItems;
  const double expected = kTrials * share;
  double chi_square = 0;
  for (const int count : counts) {
    chi_square += (count - expected) * (count - expected) / (expected * (1 - share));
  }
  chi_square *= (kItems - 1.0) / kItems;
  EXPECT_LT(chi_square, 49 + 5 * std::sqrt(2 * 49.0));
  EXPECT_GT(chi_square, 49 - 4 * std::sqrt(2 * 49.0));
}

RC_GTEST_PROP(Reservoir, RestoredGoesOnIdentically, (std::uint64_t seed)) {
  const auto values = *rc::gen::arbitrary<std::vector<double>>();
  const auto cut = *rc::gen::inRange<std::size_t>(0, values.size() + 1);
  const auto capacity = *rc::gen::inRange<std::uint32_t>(1, 12);
  Reservoir original(capacity, seed);
  for (std::size_t i = 0; i < cut; ++i) original.add(values[i]);
  Reservoir restored(capacity, seed);
  restored.add(123);
  restored.restore(original.values(), original.seen());
  for (std::size_t i = cut; i < values.size(); ++i) {
    original.add(values[i]);
    restored.add(values[i]);
    RC_ASSERT(restored.values() == original.values());
    RC_ASSERT(restored.quantile(0.3) == original.quantile(0.3));
  }
  RC_ASSERT(restored.seen() == original.seen());
}

}  // namespace
}  // namespace gradus
