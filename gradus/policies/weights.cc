#include "gradus/policies/weights.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "gradus/core/error.h"

namespace gradus {

void softmax(std::span<const double> log_weights, std::span<double> out) {
  const double largest = *std::max_element(log_weights.begin(), log_weights.end());
  double sum = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = std::exp(log_weights[i] - largest);
    sum += out[i];
  }
  for (double& p : out) p /= sum;
}

void check_setting(const char* key, double value, bool valid, const char* expected) {
  if (std::isfinite(value) && valid) return;
  throw InputError(std::string(key) + " is " + to_text(value) + ", expected " + expected);
}

}  // namespace gradus
