// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace gradus::fast {

/// RmsPropSettings in the form that one update uses; see gradus/nn/cpu/rmsprop.h.
struct RmsPropStep {
  float scale = 1;         ///< factor of the gradient
  float weight_decay = 0;  ///< weight_decay * parameters is first added to the gradient
  float decay = 0;
  float fresh = 0;
  float momentum = 0;
  float rate = 0;
  float epsilon = 0;
  float centred = 0;  ///< 1 or 0
  float spread = 0;
};

/// One update of `count` parameters. All arrays hold `count` numbers and must not overlap.
void rmsprop(const RmsPropStep& step, std::size_t count, float* gradient, float* variances,
             float* means, float* steps, float* parameters);

/// Transposes `blocks` blocks of 16 x 16 numbers. Input blocks are from_step numbers apart; output
/// blocks are contiguous. `from` and `to` must not overlap.
void transpose_blocks(int blocks, const float* from, std::size_t from_step, float* to);

/// Sum of a[i] b[i], accumulated in double.
double dot(std::size_t count, const float* a, const float* b);

}  // namespace gradus::fast
