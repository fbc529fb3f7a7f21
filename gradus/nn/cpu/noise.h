#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>

#include "gradus/core/random.h"

namespace gradus {

/// Fills out[first, last) with the standard normal weight noise of update `update`. Number i is a
/// pure function of (seed, update, i), whatever the range it is asked in: block i / 4 of the stream
/// gives four, by Box and Muller's method from pairs of 32-bit uniforms.
template <typename Real>
void fill_noise(std::uint64_t seed, std::uint64_t update, std::size_t first, std::size_t last,
                std::span<Real> out) {
  for (std::size_t block = first / 4; block * 4 < last; ++block) {
    const auto words =
        random_block(seed, Purpose::kWeightNoise, update, 0, static_cast<std::uint32_t>(block));
    double normals[4];
    for (int pair = 0; pair < 2; ++pair) {
      const double u = (words[2 * pair] + 0.5) * 0x1p-32;
      const double angle = 2 * std::numbers::pi * words[2 * pair + 1] * 0x1p-32;
      const double radius = std::sqrt(-2 * std::log(u));
      normals[2 * pair] = radius * std::cos(angle);
      normals[2 * pair + 1] = radius * std::sin(angle);
    }
    for (std::size_t i = std::max(first, block * 4); i < std::min(last, block * 4 + 4); ++i) {
      out[i] = static_cast<Real>(normals[i % 4]);
    }
  }
}

}  // namespace gradus
