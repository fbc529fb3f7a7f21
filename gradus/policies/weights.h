// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace gradus {

// Shared by the policies.

/// out = softmax(log_weights), without overflow for any finite weights. REQUIRES equal sizes, not
/// 0.
void softmax(std::span<const double> log_weights, std::span<double> out);

/// Policy::add_task() and remove_task() on a list of weights. Both return weights that sum to 1.
std::vector<double> with_mean_weight(std::vector<double> weights);
std::vector<double> without_weight(std::vector<double> weights, int task);

/// Upper bound of eta and |beta|: larger than any useful value, since a step of 1 already
/// multiplies a weight by e or more.
inline constexpr double kLargestStep = 100;

/// The step size of each round: a given eta, or automatic_eta() for the rounds so far.
class StepSize {
 public:
  explicit StepSize(std::optional<double> eta) : eta_(eta) {}

  bool is_automatic() const { return !eta_; }
  /// The step size over `tasks` tasks at reward number `round`, counted from 1.
  double at(int tasks, std::uint64_t round) const;
  /// The number, or "auto".
  nlohmann::json setting() const;

 private:
  std::optional<double> eta_;
};

/// state["round"], which counts from 1. Throws InputError if it is 0 or not a whole number.
std::uint64_t read_round(const nlohmann::json& state);

/// Throws InputError unless all saved shares are above 0 and sum to 1.
void check_shares(std::span<const double> shares);

}  // namespace gradus
