// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/random.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace gradus {
namespace {

using Words = std::array<std::uint32_t, 4>;

// Philox 4x32-10 from the definition in Salmon et al. 2011, section 3.3.
Words philox(Words c, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * c[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * c[2];
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ key[0], static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return c;
}

// Random123's published answers for counter and key all zeros, all ones, and the digits of pi.
struct KnownAnswer {
  Words counter;
  std::array<std::uint32_t, 2> key;
  Words numbers;
};

constexpr std::uint32_t kOnes = 0xffffffffu;
const std::vector<KnownAnswer> kKnownAnswers = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{kOnes, kOnes, kOnes, kOnes},
     {kOnes, kOnes},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};

TEST(Random, ReferenceGivesThePublishedAnswers) {
  for (const KnownAnswer& known : kKnownAnswers) {
    EXPECT_EQ(philox(known.counter, known.key), known.numbers);
  }
}

// The counter holds the block, the purpose and lane, and the low and high 32 bits of the index.
// The key is the seed.
TEST(RandomBlock, GivesThePublishedAnswers) {
  for (const auto& [counter, key, numbers] : kKnownAnswers) {
    const std::uint64_t seed = std::uint64_t{key[1]} << 32 | key[0];
    const std::uint64_t index = std::uint64_t{counter[3]} << 32 | counter[2];
    const auto purpose = static_cast<Purpose>(counter[1] >> 24);
    EXPECT_EQ(random_block(seed, purpose, index, counter[1] & 0xffffffu, counter[0]), numbers);
  }
}

TEST(Random, IsThePublishedAnswerForZeros) {
  Random random(0, Purpose{0}, 0);
  EXPECT_EQ(random(), 0x6627e8d5u);
  EXPECT_EQ(random(), 0xe169c58du);
  EXPECT_EQ(random(), 0xbc57ac4cu);
  EXPECT_EQ(random(), 0x9b00dbd8u);
}

RC_GTEST_PROP(Random, IsPhiloxOfBlockPurposeLaneIndexUnderTheSeed,
              (std::uint64_t seed, std::uint64_t index)) {
  const auto purpose = *rc::gen::inRange<std::uint32_t>(0, 256);
  const auto lane = *rc::gen::inRange<std::uint32_t>(0, 1u << 24);
  Random random(seed, static_cast<Purpose>(purpose), index, lane);
  for (std::uint32_t block = 0; block < 3; ++block) {
    const Words expected =
        philox({block, purpose << 24 | lane, static_cast<std::uint32_t>(index),
                static_cast<std::uint32_t>(index >> 32)},
               {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
    for (const std::uint32_t word : expected) RC_ASSERT(random() == word);
  }
}

TEST(Random, StreamsThatDifferAnywhereShareNoNumber) {
  const std::uint64_t high = std::uint64_t{1} << 32;
  std::vector<Random> streams = {
      {7, Purpose::kTrainingBatch, 5, 3},        {8, Purpose::kTrainingBatch, 5, 3},
      {7 + high, Purpose::kTrainingBatch, 5, 3}, {7, Purpose::kProbeBatch, 5, 3},
      {7, Purpose::kTrainingBatch, 6, 3},        {7, Purpose::kTrainingBatch, 5 + high, 3},
      {7, Purpose::kTrainingBatch, 5, 4},        {7, Purpose::kHeldOutBatch, 5, 3}};
  std::set<std::uint64_t> pairs;
  constexpr int kPairs = 2000;
  for (Random& random : streams) {
    for (int i = 0; i < kPairs; ++i) {
      const std::uint64_t first = random();
      pairs.insert(first << 32 | random());
    }
  }
  EXPECT_EQ(pairs.size(), streams.size() * kPairs);
}

TEST(Random, RefusesALaneThatWouldRunIntoThePurpose) {
  EXPECT_NO_THROW(Random(0, Purpose::kSample, 0, (1u << 24) - 1));
  EXPECT_THROW(Random(0, Purpose::kSample, 0, 1u << 24), std::logic_error);
}

TEST(Random, UniformIsThe53HighestOf64Bits) {
  Random random(0, Purpose{0}, 0);
  EXPECT_EQ(random.uniform(), static_cast<double>(0x6627e8d5e169c58d >> 11) * 0x1p-53);
  EXPECT_EQ(random.uniform(), static_cast<double>(0xbc57ac4c9b00dbd8 >> 11) * 0x1p-53);
}

TEST(Random, UniformLiesInTheUnitIntervalWithItsMeanAndVariance) {
  Random random(11, Purpose::kSample, 0);
  constexpr int kDraws = 200'000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u - 0.5;
    squares += (u - 0.5) * (u - 0.5);
  }
  // Five standard errors: sqrt(1/12/n) for the mean, sqrt(1/180/n) for the variance.
  EXPECT_NEAR(sum / kDraws, 0, 5 * std::sqrt(1.0 / 12 / kDraws));
  EXPECT_NEAR(squares / kDraws, 1.0 / 12, 5 * std::sqrt(1.0 / 180 / kDraws));
}

double chi_square(const std::vector<int>& counts, double expected) {
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

// With d degrees of freedom the mean is d and the standard deviation sqrt(2 d). The seed is fixed.
double chi_square_limit(double freedom) {
  return freedom + 5 * std::sqrt(2 * freedom);
}

TEST(Random, BelowGivesEveryValueAlike) {
  for (const std::uint32_t bound : {2u, 3u, 7u, 169u, 1000u}) {
    Random random(12, Purpose::kSample, bound);
    std::vector<int> counts(bound);
    const int draws = static_cast<int>(bound) * 500;
    for (int i = 0; i < draws; ++i) ++counts.at(random.below(bound));
    EXPECT_LT(chi_square(counts, 500), chi_square_limit(bound - 1)) << "bound " << bound;
  }
}

// With 2^32 / bound = 4/3, multiples of three would come twice as often without the rejection.
TEST(Random, BelowIsUnbiasedForABoundNearTheWholeRange) {
  Random random(13, Purpose::kSample, 0);
  std::vector<int> counts(3);
  for (int i = 0; i < 30'000; ++i) ++counts[random.below(3u << 30) % 3];
  EXPECT_LT(chi_square(counts, 10'000), chi_square_limit(2));
}

TEST(Random, BelowOneIsZero) {
  Random random(14, Purpose::kSample, 0);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(random.below(1), 0u);
}

TEST(Random, CoinIsFair) {
  Random random(15, Purpose::kSample, 0);
  std::vector<int> counts(2);
  for (int i = 0; i < 20'000; ++i) ++counts[random.coin() ? 1 : 0];
  EXPECT_LT(chi_square(counts, 10'000), chi_square_limit(1));
}

TEST(Random, NormalHasTheMomentsAndTailsOfTheStandardNormal) {
  Random random(16, Purpose::kSample, 0);
  constexpr int kDraws = 400'000;
  std::array<double, 5> moments{};
  int outside = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    ASSERT_TRUE(std::isfinite(x));
    for (int k = 1; k <= 4; ++k) moments[k] += std::pow(x, k) / kDraws;
    outside += std::abs(x) > 2 ? 1 : 0;
  }
  // Five standard errors: Var(x^k) is 1, 2, 15, 96.
  EXPECT_NEAR(moments[1], 0, 5 * std::sqrt(1.0 / kDraws));
  EXPECT_NEAR(moments[2], 1, 5 * std::sqrt(2.0 / kDraws));
  EXPECT_NEAR(moments[3], 0, 5 * std::sqrt(15.0 / kDraws));
  EXPECT_NEAR(moments[4], 3, 5 * std::sqrt(96.0 / kDraws));
  EXPECT_NEAR(outside / static_cast<double>(kDraws), std::erfc(std::sqrt(2.0)), 5 * 3.4e-4);
}

}  // namespace
}  // namespace gradus
