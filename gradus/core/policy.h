#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace gradus {

/// A distribution over N tasks that learns from rewards. Knows nothing of tickets, raw rewards or
/// randomness: small and exactly testable.
class Policy {
 public:
  virtual ~Policy() = default;

  virtual std::string_view name() const = 0;
  virtual int size() const = 0;
  /// Probability of drawing `task` now. REQUIRES 0 <= task < size().
  virtual double probability(int task) const = 0;
  /// All N probabilities; they sum to 1 up to rounding.
  virtual std::vector<double> probabilities() const = 0;
  /// The task at quantile u of the distribution, by the tasks' order. REQUIRES 0 <= u < 1. Never a
  /// task of probability zero.
  virtual int draw(double u) const = 0;
  /// Learns that `task`, drawn with probability `probability`, earned `reward` in [-1, 1]. The
  /// probability is the one at draw time, which may lie several updates back. REQUIRES it > 0.
  virtual void update(int task, double probability, double reward) = 0;

  /// What the policy was made with and what it has learned since; restore() takes the latter from a
  /// policy of equal settings and size, and throws InputError where it does not fit.
  virtual nlohmann::json settings() const = 0;
  virtual nlohmann::json state() const = 0;
  virtual void restore(const nlohmann::json& state) = 0;
};

/// The place of quantile u in a distribution given as a list. REQUIRES a positive entry.
int draw_from(std::span<const double> probabilities, double u);

/// Shannon entropy in nats.
double entropy(std::span<const double> probabilities);

}  // namespace gradus
