// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gradus::cuda {

/// kCount consecutive numbers of an array: one, or four in one access. REQUIRES 16-byte alignment
/// of the first if kCount is 4.
template <int kCount>
struct Numbers {
  static_assert(kCount == 1 || kCount == 4);

  static __device__ Numbers load(const float* from) {
    if constexpr (kCount == 4) {
      const float4 four = *reinterpret_cast<const float4*>(from);
      return {{four.x, four.y, four.z, four.w}};
    } else {
      return {{*from}};
    }
  }

  __device__ void store(float* to) const {
    if constexpr (kCount == 4) {
      *reinterpret_cast<float4*>(to) = {values[0], values[1], values[2], values[3]};
    } else {
      *to = values[0];
    }
  }

  __device__ float& operator[](int n) { return values[n]; }
  __device__ float operator[](int n) const { return values[n]; }

  float values[kCount];
};

}  // namespace gradus::cuda
