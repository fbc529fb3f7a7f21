// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace gradus::fast {

/// One block of 16 units of a layer at one time step, for some of its sequences. Pointers point to
/// the first row; quads of rows are `stride` rows apart, see row_of_quads(). A row of `gates` is 4
/// x 16 numbers, in the order i f g o; a row of the other arrays is 16.
struct GateRows {
  int rows = 0;
  std::size_t stride = 0;
  float* gates = nullptr;
  float* squashed = nullptr;            ///< tanh(c_t)
  const float* cells_before = nullptr;  ///< c_{t-1}, null at the first step
};

/// Computes i, f, o = sigmoid(z) and g = tanh(z) from the preactivations z, (rows, 64) and
/// contiguous; then c_t = f c_{t-1} + i g and h_t = o tanh(c_t). Writes `at.gates` and
/// `at.squashed` unless at.gates is null.
void forward_gates(const GateRows& at, const float* z, float* cells, float* hidden);

/// Replaces the gates by d loss / d z, clamped to +-bound, given d loss / d h_t. On entry
/// cell_gradient, (rows, 16) and contiguous, holds what step t + 1 left for c_t; on return it holds
/// d loss / d c_{t-1}.
void backward_gates(const GateRows& at, float bound, const float* hidden_gradient,
                    float* cell_gradient);

}  // namespace gradus::fast
