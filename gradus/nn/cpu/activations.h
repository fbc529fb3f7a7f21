// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace gradus {

// Logistic sigmoid and hyperbolic tangent. The double versions call the standard library and are
// the reference. The float versions are branch-free, so that loops over them vectorise, and have a
// relative error below 2e-7, also near 0: rounding of small activations causes most of the noise in
// prediction gain.

inline double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
inline double hyperbolic_tangent(double x) {
  return std::tanh(x);
}

/// exp(x) - 1 for -87 <= x <= 88, relative error below 2e-7. With x = n ln(2) + r and |r| <=
/// ln(2)/2, the result is 2^n times a polynomial for exp(r) - 1, plus 2^n - 1.
inline float bounded_expm1(float x) {
  constexpr float kLog2E = 1.44269504f;
  constexpr float kLn2High = 0.693359375f;
  constexpr float kLn2Low = -2.12194440e-4f;
  // Adding and subtracting 1.5 * 2^23 rounds to the nearest integer.
  constexpr float kRounder = 12582912.0f;
  const float shifted = x * kLog2E + kRounder;
  const float n = shifted - kRounder;
  const float r = (x - n * kLn2High) - n * kLn2Low;
  float p = 1.0f / 5040;
  p = p * r + 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  const auto exponent =
      (std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(kRounder));
  const float scale = std::bit_cast<float>((exponent + 127) << 23);
  return scale * (r + r * r * p) + (scale - 1.0f);
}

inline float sigmoid(float x) {
  // Beyond +-80 the result is 0 or 1 to float precision; clamping keeps exp in range.
  return 1.0f / (2.0f + bounded_expm1(std::clamp(-x, -80.0f, 80.0f)));
}

inline float hyperbolic_tangent(float x) {
  const float e = bounded_expm1(std::clamp(2.0f * x, -80.0f, 80.0f));
  return e / (2.0f + e);
}

}  // namespace gradus
