// Compiled with -ffast-math, which lets the compiler use the vector forms of log, sin and cos.

#include "gradus/nn/cpu/noise.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gradus/core/random.h"

namespace gradus {
namespace {

// Numbers made at a time. Vector and scalar functions may differ in the last bit, so every number
// is always made at the same place of a whole chunk.
constexpr std::size_t kChunk = 256;

void fill_chunk(std::uint64_t seed, std::uint64_t update, std::size_t chunk, double* normals) {
  constexpr std::size_t kPairs = kChunk / 2;
  double u[kPairs];
  double angle[kPairs];
  for (std::size_t block = 0; block < kChunk / 4; ++block) {
    const auto number = static_cast<std::uint32_t>(chunk * (kChunk / 4) + block);
    const auto words = random_block(seed, Purpose::kWeightNoise, update, 0, number);
    u[2 * block] = (words[0] + 0.5) * 0x1p-32;
    u[2 * block + 1] = (words[2] + 0.5) * 0x1p-32;
    angle[2 * block] = words[1] * (0x1p-32 * 2 * std::numbers::pi);
    angle[2 * block + 1] = words[3] * (0x1p-32 * 2 * std::numbers::pi);
  }
  double cosine[kPairs];
  double sine[kPairs];
  for (std::size_t i = 0; i < kPairs; ++i) u[i] = std::sqrt(-2 * std::log(u[i]));
  for (std::size_t i = 0; i < kPairs; ++i) cosine[i] = std::cos(angle[i]);
  for (std::size_t i = 0; i < kPairs; ++i) sine[i] = std::sin(angle[i]);
  for (std::size_t i = 0; i < kPairs; ++i) {
    normals[2 * i] = u[i] * cosine[i];
    normals[2 * i + 1] = u[i] * sine[i];
  }
}

}  // namespace

template <typename Real>
void fill_noise(std::uint64_t seed, std::uint64_t update, std::size_t first, std::size_t last,
                std::span<Real> out) {
  double normals[kChunk];
  for (std::size_t chunk = first / kChunk; chunk * kChunk < last; ++chunk) {
    fill_chunk(seed, update, chunk, normals);
    const std::size_t start = chunk * kChunk;
    for (std::size_t i = std::max(first, start); i < std::min(last, start + kChunk); ++i) {
      out[i] = static_cast<Real>(normals[i - start]);
    }
  }
}

template void fill_noise(std::uint64_t, std::uint64_t, std::size_t, std::size_t, std::span<float>);
template void fill_noise(std::uint64_t, std::uint64_t, std::size_t, std::size_t, std::span<double>);

}  // namespace gradus
