#pragma once

namespace gradus::cuda {

/// Largest value that an operand of matrix products can hold; larger ones would become infinity.
template <typename Operand>
__device__ constexpr float largest_operand() {
  return sizeof(Operand) == 2 ? 65504.0f : 3.4e38f;
}

}  // namespace gradus::cuda
