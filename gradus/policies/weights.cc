#include "gradus/policies/weights.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

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

std::vector<double> read_log_weights(const nlohmann::json& state, int size) {
  auto weights = state.at("log_weights").get<std::vector<double>>();
  if (weights.size() != static_cast<std::size_t>(size)) {
    throw InputError("saved policy has " + std::to_string(weights.size()) + " weights, expected " +
                     std::to_string(size));
  }
  for (const double weight : weights) {
    if (!std::isfinite(weight)) throw InputError("saved policy has a weight of " + to_text(weight));
  }
  return weights;
}

void check_setting(const char* key, double value, bool valid, const char* expected) {
  if (std::isfinite(value) && valid) return;
  throw InputError(std::string(key) + " is " + to_text(value) + ", expected " + expected);
}

}  // namespace gradus
