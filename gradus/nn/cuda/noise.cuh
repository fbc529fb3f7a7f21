#pragma once

#include <cstdint>
#include <numbers>

#include <Random123/philox.h>

#include "gradus/core/random.h"

namespace gradus::cuda {

/// The four standard normal numbers of gradus/nn/cpu/noise.cc that come from one block of the
/// stream.
__device__ inline float4 weight_noise(std::uint64_t seed, std::uint64_t update,
                                      std::uint32_t block) {
  const r123::Philox4x32::ctr_type counter = {
      {block, static_cast<std::uint32_t>(Purpose::kWeightNoise) << 24,
       static_cast<std::uint32_t>(update), static_cast<std::uint32_t>(update >> 32)}};
  const r123::Philox4x32::key_type key = {
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  const auto words = r123::Philox4x32()(counter, key);
  const auto pair = [](std::uint32_t a, std::uint32_t b) {
    const double radius = sqrt(-2 * log((a + 0.5) * 0x1p-32));
    double sine, cosine;
    sincos(b * (0x1p-32 * 2 * std::numbers::pi), &sine, &cosine);
    return float2{static_cast<float>(radius * cosine), static_cast<float>(radius * sine)};
  };
  const float2 first = pair(words[0], words[1]);
  const float2 second = pair(words[2], words[3]);
  return {first.x, first.y, second.x, second.y};
}

}  // namespace gradus::cuda
