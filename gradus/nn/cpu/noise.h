// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace gradus {

/// Fills out[first, last) with the standard normal weight noise of update `update`. Number i is a
/// pure function of (seed, update, i), whatever range is requested. Block i / 4 of the random
/// stream gives four numbers, by the Box-Muller method on pairs of 32-bit uniforms. Real is float
/// or double; float noise equals the double noise to a relative error of 5e-7.
template <typename Real>
void fill_noise(std::uint64_t seed, std::uint64_t update, std::size_t first, std::size_t last,
                std::span<Real> out);

}  // namespace gradus
