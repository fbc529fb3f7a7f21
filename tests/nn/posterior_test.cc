// SPDX-License-Identifier: Apache-2.0
// Compares the float versions of posterior.h with the double ones, on every instruction set. The
// double ones are checked by finite differences and by PyTorch elsewhere (first_order_test.cc,
// tests/parity).

#include "gradus/nn/cpu/posterior.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "gradus/core/random.h"
#include "tests/nn/simd_targets.h"

namespace gradus {
namespace {

constexpr std::size_t kCount = 1003;  // whole vectors and a remainder

template <typename Real>
struct Numbers {
  std::vector<Real> mu, rho, prior_mu, prior_rho, noise, data_gradient;

  PosteriorGroup<Real> group(bool own_prior) const {
    return {kCount, own_prior, mu.data(), rho.data(), prior_mu.data(), prior_rho.data()};
  }
};

template <typename Real>
struct Gradients {
  std::vector<Real> mu, rho, prior_mu, prior_rho;
  PosteriorSums sums;
};

// Widths from 1e-5 to 5.
Numbers<float> random_numbers() {
  Random random(3, Purpose::kSample, 0);
  Numbers<float> numbers;
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto normal = [&] { return static_cast<float>(random.normal()); };
    numbers.mu.push_back(0.1f * normal());
    numbers.rho.push_back(static_cast<float>(16.5 * random.uniform() - 11.5));
    numbers.prior_mu.push_back(0.02f * normal());
    numbers.prior_rho.push_back(-2 + 0.5f * normal());
    numbers.noise.push_back(normal());
    numbers.data_gradient.push_back(0.01f * normal());
  }
  return numbers;
}

Numbers<double> in_double(const Numbers<float>& n) {
  const auto wide = [](const std::vector<float>& values) {
    return std::vector<double>(values.begin(), values.end());
  };
  return {wide(n.mu),        wide(n.rho),   wide(n.prior_mu),
          wide(n.prior_rho), wide(n.noise), wide(n.data_gradient)};
}

template <typename Real>
Gradients<Real> gradients(const Numbers<Real>& numbers, bool own_prior) {
  Gradients<Real> to{numbers.data_gradient,
                     std::vector<Real>(kCount),
                     std::vector<Real>(kCount),
                     std::vector<Real>(kCount),
                     {}};
  to.sums =
      posterior_gradient(numbers.group(own_prior), numbers.noise.data(), 1e-3,
                         {to.mu.data(), to.rho.data(), to.prior_mu.data(), to.prior_rho.data()});
  return to;
}

// Entries near 0 are differences, so their error is relative to the numbers that are subtracted.
void expect_close(const std::vector<float>& got, const std::vector<double>& expected,
                  const char* what) {
  double largest = 0;
  for (const double x : expected) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < kCount; ++i) {
    ASSERT_NEAR(got[i], expected[i], 1e-6 * std::abs(expected[i]) + 1e-7 * largest) << what << i;
  }
}

// The bound is ten rounding errors of float.
TEST(Posterior, SamplesInFloatAsInDouble) {
  const Numbers<float> numbers = random_numbers();
  std::vector<double> expected(kCount);
  const Numbers<double> exact = in_double(numbers);
  sample_weights(exact.group(true), exact.noise.data(), expected.data());
  for_each_target([&] {
    std::vector<float> theta(kCount);
    sample_weights(numbers.group(true), numbers.noise.data(), theta.data());
    for (std::size_t i = 0; i < kCount; ++i) {
      const double width = std::abs(expected[i] - exact.mu[i]);
      ASSERT_NEAR(theta[i], expected[i], 6e-7 * (std::abs(exact.mu[i]) + width)) << i;
    }
  });
}

// A float sum of 256 numbers in one chain has an error of at most 256 half roundings, 8e-6.
TEST(Posterior, HasTheGradientInFloatThatItHasInDouble) {
  const Numbers<float> numbers = random_numbers();
  for (const bool own_prior : {false, true}) {
    const Gradients<double> expected = gradients(in_double(numbers), own_prior);
    for_each_target([&] {
      const Gradients<float> got = gradients(numbers, own_prior);
      expect_close(got.mu, expected.mu, "mu ");
      expect_close(got.rho, expected.rho, "rho ");
      expect_close(got.prior_mu, expected.prior_mu, "prior mu ");
      expect_close(got.prior_rho, expected.prior_rho, "prior rho ");
      const auto near = [](double sum, double right) {
        EXPECT_NEAR(sum, right, 1e-5 * std::abs(right));
      };
      near(got.sums.prior_mean, expected.sums.prior_mean);
      near(got.sums.prior_width, expected.sums.prior_width);
      near(got.sums.gradient_norm, expected.sums.gradient_norm);
      near(got.sums.kl_dot_gradient, expected.sums.kl_dot_gradient);
    });
  }
}

TEST(Posterior, StaysFiniteAtAnyWidthAndShowsNan) {
  Numbers<float> numbers = random_numbers();
  const float rhos[] = {-1e30f, -200.0f, -80.0f, 0.0f, 80.0f, 1e18f};
  for (std::size_t i = 0; i < kCount; ++i) numbers.rho[i] = rhos[i % 6];
  for_each_target([&] {
    const Gradients<float> got = gradients(numbers, false);
    for (std::size_t i = 0; i < kCount; ++i) ASSERT_TRUE(std::isfinite(got.rho[i])) << i;
    Numbers<float> broken = numbers;
    broken.rho[5] = broken.rho[kCount - 1] = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> theta(kCount);
    sample_weights(broken.group(false), broken.noise.data(), theta.data());
    const Gradients<float> none = gradients(broken, false);
    for (const std::size_t i : {std::size_t{5}, kCount - 1}) {
      EXPECT_TRUE(std::isnan(theta[i]) && std::isnan(none.rho[i])) << i;
    }
  });
}

}  // namespace
}  // namespace gradus
