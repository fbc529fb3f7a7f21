// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/random.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <Random123/philox.h>

namespace gradus {

std::array<std::uint32_t, 4> random_block(std::uint64_t seed, Purpose purpose, std::uint64_t index,
                                          std::uint32_t lane, std::uint32_t block) {
  const r123::Philox4x32::ctr_type counter = {
      {block, static_cast<std::uint32_t>(purpose) << 24 | lane, static_cast<std::uint32_t>(index),
       static_cast<std::uint32_t>(index >> 32)}};
  const r123::Philox4x32::key_type key = {
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  const auto numbers = r123::Philox4x32()(counter, key);
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

Random::Random(std::uint64_t seed, Purpose purpose, std::uint64_t index, std::uint32_t lane)
    : seed_(seed), index_(index), purpose_(purpose), lane_(lane) {
  if (lane >> 24 != 0) throw std::logic_error("Random: lane " + std::to_string(lane) + " >= 2^24");
}

Random::result_type Random::operator()() {
  if (used_ == 4) {
    numbers_ = random_block(seed_, purpose_, index_, lane_, block_++);
    used_ = 0;
  }
  return numbers_[used_++];
}

double Random::uniform() {
  const std::uint64_t high = (*this)();
  const std::uint64_t bits = high << 21 | (*this)() >> 11;
  return static_cast<double>(bits) * 0x1p-53;
}

std::uint32_t Random::below(std::uint32_t bound) {
  // Lemire's multiply-shift. Rejecting the lowest products removes the bias.
  std::uint64_t product = std::uint64_t{(*this)()} * bound;
  if (static_cast<std::uint32_t>(product) < bound) {
    const std::uint32_t threshold = -bound % bound;
    while (static_cast<std::uint32_t>(product) < threshold) {
      product = std::uint64_t{(*this)()} * bound;
    }
  }
  return static_cast<std::uint32_t>(product >> 32);
}

bool Random::coin() {
  return ((*this)() & 1u) != 0;
}

double Random::normal() {
  // Box-Muller, using one of its two results so that every call reads the same amount of the
  // stream.
  const double radius = std::sqrt(-2.0 * std::log1p(-uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace gradus
