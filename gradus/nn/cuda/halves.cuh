#pragma once

// Two halves in a word, as the tensor cores take them: the first in its lower half.

#include <cstdint>

#include <cuda_fp16.h>

namespace gradus::cuda {

/// Two that are adjacent in memory.
__device__ inline std::uint32_t two_halves(const __half* from) {
  return *reinterpret_cast<const std::uint32_t*>(from);
}

__device__ inline std::uint32_t two_halves(__half first, __half second) {
  return static_cast<std::uint32_t>(__half_as_ushort(first)) |
         static_cast<std::uint32_t>(__half_as_ushort(second)) << 16;
}

/// Two numbers, rounded.
__device__ inline std::uint32_t two_halves(float first, float second) {
  const __half2 both = __floats2half2_rn(first, second);
  return *reinterpret_cast<const std::uint32_t*>(&both);
}

__device__ inline float2 two_floats(std::uint32_t halves) {
  return __half22float2(*reinterpret_cast<const __half2*>(&halves));
}

}  // namespace gradus::cuda
