#pragma once

#include <cstddef>

namespace gradus::fast {

/// One block of 16 units of a layer at one step, for some of its sequences: pointers to the first
/// of the rows, of which runs are `run` apart (row_of_runs()). Gates are 4 x 16 numbers a row, i f
/// g o; the rest 16.
struct GateRows {
  int rows = 0;
  std::size_t run = 0;
  float* gates = nullptr;
  float* squashed = nullptr;            ///< tanh(c_t)
  const float* cells_before = nullptr;  ///< c_{t-1}, null at the first step
};

/// i, f, o = sigmoid, g = tanh of the preactivations z, (rows, 64) without gaps; then
/// c_t = f c_{t-1} + i g and h_t = o tanh(c_t). Gates and squashed are written unless gates is
/// null.
void forward_gates(const GateRows& at, const float* z, float* cells, float* hidden);

/// Turns the gates into d loss / d z, clamped to +-bound, given d loss / d h_t and, in
/// cell_gradient, (rows, 16) without gaps, what step t + 1 left for c_t; leaves d loss / d c_{t-1}
/// there.
void backward_gates(const GateRows& at, float bound, const float* hidden_gradient,
                    float* cell_gradient);

/// The activations alone, for tests: out[i] = sigmoid(x[i]) and tanh(x[i]); count a multiple of 16.
void sigmoids(std::size_t count, const float* x, float* out);
void tangents(std::size_t count, const float* x, float* out);

}  // namespace gradus::fast
