#include "gradus/core/policy.h"

#include <cmath>
#include <stdexcept>

namespace gradus {

int draw_from(std::span<const double> probabilities, double u) {
  int last_possible = -1;
  double below = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    if (probabilities[i] <= 0) continue;
    below += probabilities[i];
    last_possible = static_cast<int>(i);
    if (u < below) return last_possible;
  }
  // Rounding may leave the sum slightly below 1, and u above it.
  if (last_possible < 0) throw std::logic_error("draw_from: no positive probability");
  return last_possible;
}

double entropy(std::span<const double> probabilities) {
  double sum = 0;
  for (const double p : probabilities) {
    if (p > 0) sum -= p * std::log(p);
  }
  return sum;
}

}  // namespace gradus
