// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <Random123/philox.h>

#include "gradus/core/random.h"
#include "gradus/nn/cuda/numbers.cuh"

namespace gradus::cuda {

/// Two standard normal numbers from two random words, by the Box-Muller method. They equal the
/// CPU's, which are computed in double, to about 3e-7: for uniforms near 1, the logarithm is
/// computed from the distance to 1, and angles are in [-pi, pi).
__device__ inline float2 normal_pair(std::uint32_t a, std::uint32_t b) {
  const bool upper = a >= 0x80000000u;
  const float from_end = (static_cast<float>(upper ? ~a : a) + 0.5f) * 0x1p-32f;
  const float radius = sqrtf(-2 * (upper ? log1pf(-from_end) : logf(from_end)));
  float sine, cosine;
  sincospif(static_cast<float>(static_cast<std::int32_t>(b)) * 0x1p-31f, &sine, &cosine);
  return {radius * cosine, radius * sine};
}

/// The four normal numbers of gradus/nn/cpu/noise.cc that come from block `block` of the random
/// stream.
__device__ inline Numbers<4> weight_noise(std::uint64_t seed, std::uint64_t update,
                                          std::uint32_t block) {
  const r123::Philox4x32::ctr_type counter = {
      {block, static_cast<std::uint32_t>(Purpose::kWeightNoise) << 24,
       static_cast<std::uint32_t>(update), static_cast<std::uint32_t>(update >> 32)}};
  const r123::Philox4x32::key_type key = {
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  const auto words = r123::Philox4x32()(counter, key);
  const float2 first = normal_pair(words[0], words[1]);
  const float2 second = normal_pair(words[2], words[3]);
  return {{first.x, first.y, second.x, second.y}};
}

}  // namespace gradus::cuda
