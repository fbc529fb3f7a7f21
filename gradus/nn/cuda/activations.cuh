// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gradus::cuda {

// Logistic sigmoid and hyperbolic tangent. The exact versions use the library's functions, accurate
// to a unit or two in the last place. The quick versions have an absolute error of up to 2e-7, far
// below the rounding of half operands. They flush subnormal numbers to 0, which saves most of their
// instructions.

struct ExactActivations {
  static __device__ float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }
  static __device__ float hyperbolic_tangent(float x) { return tanhf(x); }
};

struct QuickActivations {
  static __device__ float sigmoid(float x) { return reciprocal(1.0f + power_of_2(-kLog2E * x)); }
  static __device__ float hyperbolic_tangent(float x) {
    return 1.0f - 2.0f * reciprocal(1.0f + power_of_2(2 * kLog2E * x));
  }

 private:
  static constexpr float kLog2E = 1.44269504f;

  static __device__ float power_of_2(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  }
  static __device__ float reciprocal(float x) {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  }
};

}  // namespace gradus::cuda
