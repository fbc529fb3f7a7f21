#pragma once

#include <cstddef>
#include <cstdint>

namespace gradus::fast {

/// Numbers that normal_chunk() makes at a time.
inline constexpr std::size_t kNoiseChunk = 256;

/// Standard normals [256 chunk, 256 (chunk + 1)) of update `update`, from blocks of four 32-bit
/// numbers by Box and Muller's method; random_block() says the numbers, of purpose kWeightNoise.
/// Each is within 1e-14 of the exact one, in float within 5e-7 of it in proportion to it.
void normal_chunk(std::uint64_t seed, std::uint64_t update, std::size_t chunk, double* normals);
void normal_chunk(std::uint64_t seed, std::uint64_t update, std::size_t chunk, float* normals);

}  // namespace gradus::fast
