#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <nlohmann/json_fwd.hpp>

namespace gradus {

// Shared by the exponential-weight policies.

/// out = softmax(log_weights), without overflow for any finite weights. REQUIRES equal sizes, not
/// 0.
void softmax(std::span<const double> log_weights, std::span<double> out);

/// Upper bound of eta and |beta|: larger than any useful value, since a step of 1 already
/// multiplies a weight by e or more.
inline constexpr double kLargestStep = 100;

/// The step size of each round: a given eta, or automatic_eta() for the rounds so far.
class StepSize {
 public:
  /// REQUIRES tasks >= 1.
  StepSize(std::optional<double> eta, int tasks) : eta_(eta), tasks_(tasks) {}

  bool is_automatic() const { return !eta_; }
  /// The step size at reward number `round`, counted from 1.
  double at(std::uint64_t round) const;
  /// The number, or "auto". read_eta() parses it.
  nlohmann::json setting() const;

 private:
  std::optional<double> eta_;
  int tasks_;
};

/// Parses an eta from saved settings. Throws InputError unless it is a number or "auto".
std::optional<double> read_eta(const nlohmann::json& setting);

/// state["round"], which counts from 1. Throws InputError if it is 0 or not a whole number.
std::uint64_t read_round(const nlohmann::json& state);

}  // namespace gradus
