// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gradus::cuda {

/// Limit on d loss / d z in a backward pass. Derivatives and limit are scaled like the loss.
struct DerivativeLimit {
  float largest = 0;  ///< derivatives are clamped to +-largest
  /// Set to 1 if a derivative is not finite, or exceeds the operands' range even when clamped.
  int* overflow = nullptr;
};

}  // namespace gradus::cuda
