// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/noise.h"

#include <algorithm>

#include "gradus/nn/cpu/fast/noise.h"

namespace gradus {

template <typename Real>
void fill_noise(std::uint64_t seed, std::uint64_t update, std::size_t first, std::size_t last,
                std::span<Real> out) {
  // Vector and scalar functions may differ in the last bit, so always generate whole chunks: each
  // number is then always computed in the same lane.
  constexpr std::size_t kChunk = fast::kNoiseChunk;
  Real normals[kChunk];
  for (std::size_t chunk = first / kChunk; chunk * kChunk < last; ++chunk) {
    fast::normal_chunk(seed, update, chunk, normals);
    const std::size_t start = chunk * kChunk;
    for (std::size_t i = std::max(first, start); i < std::min(last, start + kChunk); ++i) {
      out[i] = normals[i - start];
    }
  }
}

template void fill_noise(std::uint64_t, std::uint64_t, std::size_t, std::size_t, std::span<float>);
template void fill_noise(std::uint64_t, std::uint64_t, std::size_t, std::size_t, std::span<double>);

}  // namespace gradus
