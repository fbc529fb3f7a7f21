#pragma once

#include <cstdint>
#include <span>

namespace gradus {

/// Fills out[first, last) with the standard normal weight noise of update `update`. Number i is a
/// pure function of (seed, update, i), whatever the range it is asked in: four numbers come from
/// block i / 4 of the stream, by Box and Muller's method from pairs of 32-bit uniforms. Real is
/// float or double; float noise is the double noise to 5e-7 of it.
template <typename Real>
void fill_noise(std::uint64_t seed, std::uint64_t update, std::size_t first, std::size_t last,
                std::span<Real> out);

}  // namespace gradus
