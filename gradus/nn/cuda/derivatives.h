#pragma once

namespace gradus::cuda {

/// How a backward pass treats d loss / d z, all of it scaled as the loss is.
struct DerivativeLimit {
  float largest = 0;  ///< derivatives are clamped to +-largest
  int* overflow =
      nullptr;  ///< set to 1 if one is not finite, or too large for an operand even then
};

}  // namespace gradus::cuda
