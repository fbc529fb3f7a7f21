// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/noise.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "gradus/core/random.h"
#include "tests/nn/simd_targets.h"

namespace gradus {
namespace {

TEST(Noise, DoesNotDependOnTheRangeItIsAskedIn) {
  std::vector<double> whole(1001), parts(1001);
  fill_noise<double>(5, 9, 0, 1001, whole);
  fill_noise<double>(5, 9, 0, 3, parts);
  fill_noise<double>(5, 9, 3, 514, parts);
  fill_noise<double>(5, 9, 514, 1001, parts);
  EXPECT_EQ(whole, parts);
}

// The Box-Muller method word by word, from the stream of Random123. The last bits of the library's
// functions and of ours may both be wrong.
TEST(Noise, IsBoxAndMullersMethodOnTheStream) {
  constexpr std::uint64_t kSeed = 0x123456789abcdefull;
  constexpr std::uint64_t kUpdate = 0x700000003ull;
  std::vector<double> noise(600);
  fill_noise<double>(kSeed, kUpdate, 0, noise.size(), noise);
  for (std::size_t block = 0; block < noise.size() / 4; ++block) {
    const auto words =
        random_block(kSeed, Purpose::kWeightNoise, kUpdate, 0, static_cast<std::uint32_t>(block));
    for (std::size_t pair = 0; pair < 2; ++pair) {
      const double radius = std::sqrt(-2 * std::log((words[2 * pair] + 0.5) * 0x1p-32));
      const double angle = words[2 * pair + 1] * 0x1p-32 * 2 * std::numbers::pi;
      EXPECT_NEAR(noise[4 * block + 2 * pair], radius * std::cos(angle), 1e-14);
      EXPECT_NEAR(noise[4 * block + 2 * pair + 1], radius * std::sin(angle), 1e-14);
    }
  }
}

// Float rounds words to 24 bits, computes a logarithm, a square root and a series, and multiplies:
// about 6e-8 each, 3.1e-7 in total as measured.
TEST(Noise, InFloatIsThatOfDoubleTo5e7OfItOnEveryInstructionSet) {
  constexpr std::size_t kCount = 1 << 20;
  std::vector<double> exact(kCount);
  fill_noise<double>(5, 9, 0, kCount, exact);
  for_each_target([&] {
    std::vector<float> noise(kCount);
    fill_noise<float>(5, 9, 0, kCount, noise);
    double worst = 0;
    for (std::size_t i = 0; i < kCount; ++i) {
      worst = std::max(worst, std::abs(noise[i] - exact[i]) / std::abs(exact[i]));
    }
    EXPECT_LT(worst, 5e-7);
  });
}

TEST(Noise, DiffersBetweenUpdatesAndSeeds) {
  std::vector<double> a(64), b(64), c(64);
  fill_noise<double>(5, 9, 0, 64, a);
  fill_noise<double>(5, 10, 0, 64, b);
  fill_noise<double>(6, 9, 0, 64, c);
  EXPECT_NE(a, b);
  EXPECT_NE(a, c);
}

// Mean, variance and fourth moment of a million draws. Bounds are five standard errors: 1/1000
// times 1, sqrt(2) and sqrt(96).
TEST(Noise, IsStandardNormal) {
  constexpr int kCount = 1'000'000;
  std::vector<float> noise(kCount);
  fill_noise<float>(1, 0, 0, kCount, noise);
  double first = 0, second = 0, fourth = 0, neighbours = 0;
  for (int i = 0; i < kCount; ++i) {
    const double x = noise[i];
    first += x / kCount;
    second += x * x / kCount;
    fourth += x * x * x * x / kCount;
    if (i > 0) neighbours += x * noise[i - 1] / kCount;
  }
  EXPECT_NEAR(first, 0, 0.005);
  EXPECT_NEAR(second, 1, 0.0071);
  EXPECT_NEAR(fourth, 3, 0.049);
  EXPECT_NEAR(neighbours, 0, 0.005);
}

}  // namespace
}  // namespace gradus
