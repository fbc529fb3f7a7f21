// SPDX-License-Identifier: Apache-2.0
#pragma once

// Operands of matrix products: their range, how tensor cores expect two halves in a word (the first
// in the low 16 bits), and the product of one warp.

#include <cstdint>

#include <cuda_fp16.h>

namespace gradus::cuda {

/// Largest value that an operand of matrix products can hold; larger ones would become infinity.
template <typename Operand>
__device__ constexpr float largest_operand() {
  return sizeof(Operand) == 2 ? 65504.0f : 3.4e38f;
}

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

// A warp's product of a (16, 16) and b (16, 8), both halves, added to float sums. With g = lane / 4
// and q = lane % 4, a lane holds, with two halves per register of a and b:
//
//   a      rows g, g + 8, g, g + 8; columns 2 q and 2 q + 1, for the last two 8 columns further
//   b      rows 2 q and 2 q + 1, then 8 rows further; column g
//   sums   row g in columns 2 q and 2 q + 1, then row g + 8 in the same columns

/// sums += a b.
__device__ inline void add_product(float (&sums)[4], const std::uint32_t (&a)[4],
                                   const std::uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

}  // namespace gradus::cuda
