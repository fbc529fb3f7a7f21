// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace gradus::fast {

/// Number of normals per call of normal_chunk().
inline constexpr std::size_t kNoiseChunk = 256;

/// Writes standard normals [256 chunk, 256 (chunk + 1)) of update `update`, by the Box-Muller
/// method from blocks of four 32-bit numbers: those of random_block() with purpose kWeightNoise. In
/// double each normal is within 1e-14 of the exact value; in float the relative error is below
/// 5e-7.
void normal_chunk(std::uint64_t seed, std::uint64_t update, std::size_t chunk, double* normals);
void normal_chunk(std::uint64_t seed, std::uint64_t update, std::size_t chunk, float* normals);

}  // namespace gradus::fast
