// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cfloat>

#include "gradus/nn/cuda/activations.cuh"
#include "gradus/nn/cuda/operands.cuh"

namespace gradus::cuda {

/// The four gates of a cell: preactivations, activations, or gradients with respect to either.
struct Gates {
  float i, f, g, o;
};

/// Results of a step: c_t and h_t.
struct CellState {
  float c, h;
};

/// One forward step of one cell: c = f c_before + i g, h = o tanh(c). Replaces z by the
/// activations.
template <typename Activations>
__device__ inline CellState step_forward(Gates& z, float c_before) {
  z = {Activations::sigmoid(z.i), Activations::sigmoid(z.f), Activations::hyperbolic_tangent(z.g),
       Activations::sigmoid(z.o)};
  const float c = z.f * c_before + z.i * z.g;
  return {c, z.o * Activations::hyperbolic_tangent(c)};
}

/// Returns d loss / d z of one step of one cell, given d loss / d h. On entry `dc` holds what step
/// t + 1 left for c_t; on return it holds d loss / d c_{t-1}.
template <typename Activations>
__device__ inline Gates step_backward(const Gates& a, float c, float c_before, float dh,
                                      float& dc) {
  const float s = Activations::hyperbolic_tangent(c);
  const float d = dc + dh * a.o * (1 - s * s);
  dc = d * a.f;
  return {d * a.g * a.i * (1 - a.i), d * c_before * a.f * (1 - a.f), d * a.i * (1 - a.g * a.g),
          dh * s * a.o * (1 - a.o)};
}

/// Clamps the derivatives of a step to +-limit. Returns false if one of them was not finite, or
/// still exceeds Operand's range.
template <typename Operand>
__device__ inline bool limit_derivatives(float limit, Gates& d) {
  const float largest = fmaxf(fmaxf(fabsf(d.i), fabsf(d.f)), fmaxf(fabsf(d.g), fabsf(d.o)));
  const auto clamp = [limit](float x) { return fminf(fmaxf(x, -limit), limit); };
  d = {clamp(d.i), clamp(d.f), clamp(d.g), clamp(d.o)};
  const bool limit_fits = limit <= largest_operand<Operand>();
  return largest <= (limit_fits ? FLT_MAX : largest_operand<Operand>());
}

}  // namespace gradus::cuda
