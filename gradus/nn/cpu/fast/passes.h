#pragma once

#include <cstddef>

namespace gradus::fast {

/// The numbers of RmsPropSettings as one update uses them; see gradus/nn/cpu/rmsprop.h.
struct RmsPropStep {
  float scale = 1;         ///< of the gradient
  float weight_decay = 0;  ///< times the parameters is first added to the gradient
  float decay = 0;
  float fresh = 0;
  float momentum = 0;
  float rate = 0;
  float epsilon = 0;
  float centred = 0;  ///< 1 or 0
  float spread = 0;
};

/// One pass over `count` parameters, their gradient and the optimiser's three numbers for each.
void rmsprop(const RmsPropStep& step, std::size_t count, float* gradient, float* variances,
             float* means, float* steps, float* parameters);

/// Transposes `blocks` blocks of 16 x 16 numbers, which lie from_step apart and then one after the
/// other.
void transpose_blocks(int blocks, const float* from, std::size_t from_step, float* to);

/// The sum of a[i] b[i] in double.
double dot(std::size_t count, const float* a, const float* b);

}  // namespace gradus::fast
