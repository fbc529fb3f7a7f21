#pragma once

// Two halves packed into a word, as tensor cores expect them: the first in the low 16 bits.

#include <cstdint>

#include <cuda_fp16.h>

namespace gradus::cuda {

/// Packs two halves that are adjacent in memory. REQUIRES 4-byte alignment.
__device__ inline std::uint32_t two_halves(const __half* from) {
  return *reinterpret_cast<const std::uint32_t*>(from);
}

__device__ inline std::uint32_t two_halves(__half first, __half second) {
  return static_cast<std::uint32_t>(__half_as_ushort(first)) |
         static_cast<std::uint32_t>(__half_as_ushort(second)) << 16;
}

/// Rounds two floats to halves and packs them.
__device__ inline std::uint32_t two_halves(float first, float second) {
  const __half2 both = __floats2half2_rn(first, second);
  return *reinterpret_cast<const std::uint32_t*>(&both);
}

__device__ inline float2 two_floats(std::uint32_t halves) {
  return __half22float2(*reinterpret_cast<const __half2*>(&halves));
}

}  // namespace gradus::cuda
