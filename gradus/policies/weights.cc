#include "gradus/policies/weights.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/policies/policies.h"

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

double StepSize::at(std::uint64_t round) const {
  return eta_ ? *eta_ : automatic_eta(tasks_, round);
}

nlohmann::json StepSize::setting() const {
  return eta_ ? nlohmann::json(*eta_) : nlohmann::json("auto");
}

std::optional<double> read_eta(const nlohmann::json& setting) {
  if (setting == "auto") return std::nullopt;
  if (setting.is_number()) return setting.get<double>();
  throw InputError("saved eta is " + setting.dump() + ", expected a number or \"auto\"");
}

std::uint64_t read_round(const nlohmann::json& state) {
  const std::uint64_t round = read_count(state, "round");
  if (round < 1) throw InputError("saved policy is in round 0, expected 1 or more");
  return round;
}

}  // namespace gradus
