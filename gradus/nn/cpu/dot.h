// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "gradus/nn/cpu/fast/passes.h"

namespace gradus {

/// Sum of a[i] b[i], accumulated in double. REQUIRES equal sizes.
inline double dot(std::span<const float> a, std::span<const float> b) {
  return fast::dot(a.size(), a.data(), b.data());
}
inline double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace gradus
