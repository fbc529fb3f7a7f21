// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gradus/core/batch.h"

namespace gradus {

/// Score of one output row.
struct OutputScore {
  double loss = 0;  ///< -log p(target), nats
  bool wrong = false;
};

/// Scores one row of `width` logits against its target and replaces the row by d loss / d logit,
/// which is p - y for both kinds. Losses are computed in double from the logits, because prediction
/// gain is a small difference of two losses.
template <typename Real>
OutputScore score_output(OutputKind kind, int width, std::uint32_t target, Real* row) {
  OutputScore score;
  if (kind == OutputKind::kSigmoid) {
    for (int j = 0; j < width; ++j) {
      const double z = row[j];
      const bool y = (target >> j & 1u) != 0;
      const double e = std::exp(-std::abs(z));
      score.loss += std::log1p(e) + (y ? std::max(-z, 0.0) : std::max(z, 0.0));
      score.wrong = score.wrong || (z > 0) != y;
      const double p = (z >= 0 ? 1.0 : e) / (1 + e);
      row[j] = static_cast<Real>(p - (y ? 1.0 : 0.0));
    }
    return score;
  }
  const auto largest = std::max_element(row, row + width);
  const double top = *largest;
  score.wrong = largest - row != static_cast<std::ptrdiff_t>(target);
  const double target_logit = row[target];
  double sum = 0;
  for (int j = 0; j < width; ++j) sum += std::exp(row[j] - top);
  score.loss = std::log(sum) + top - target_logit;
  for (int j = 0; j < width; ++j) {
    const double p = std::exp(row[j] - top) / sum;
    row[j] = static_cast<Real>(p - (j == static_cast<int>(target) ? 1.0 : 0.0));
  }
  return score;
}

}  // namespace gradus
