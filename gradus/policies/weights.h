#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <nlohmann/json_fwd.hpp>

namespace gradus {

// What the exponential-weight policies have in common.

/// out = softmax(log_weights), safe for any finite weights; sizes equal.
void softmax(std::span<const double> log_weights, std::span<double> out);

/// Bound of eta and beta: far beyond any use, and a step of both divided by a small probability is
/// still a number.
inline constexpr double kLargestStep = 1e100;

/// The step size of each round: a given eta, or the automatic one for the rounds so far.
class StepSize {
 public:
  /// Throws InputError unless eta is empty or from 0 to kLargestStep. REQUIRES tasks >= 1.
  StepSize(std::optional<double> eta, int tasks);

  bool is_automatic() const { return !eta_; }
  /// At the reward number `round`, which counts from 1.
  double at(std::uint64_t round) const;
  /// The number, or "auto": what read_eta() reads.
  nlohmann::json setting() const;

 private:
  std::optional<double> eta_;
  int tasks_;
};

/// An eta as saved settings have it. Throws InputError unless it is a number or "auto".
std::optional<double> read_eta(const nlohmann::json& setting);

/// state["round"] of a policy that counts its rounds from 1. Throws InputError for 0.
std::uint64_t read_round(const nlohmann::json& state);

/// Throws InputError naming the setting unless it is finite and `valid`.
void check_setting(const char* key, double value, bool valid, const char* expected);

}  // namespace gradus
