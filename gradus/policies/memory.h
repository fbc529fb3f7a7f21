// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace gradus {

// What ducb, swucb and thompson remember.

/// The number of rewards that a policy remembers: a given window, or 100 per task.
class Window {
 public:
  /// Throws InputError unless the window is empty or a whole number in 1..1e9.
  explicit Window(std::optional<double> window);

  double at(int tasks) const;
  /// The weight of a reward relative to the next one, 1 - 1 / window: the weights of all rewards
  /// sum to at most the window.
  double discount(int tasks) const { return 1 - 1 / at(tasks); }
  /// The number, or "auto".
  nlohmann::json setting() const;

 private:
  std::optional<double> window_;
};

/// Number and sum of each task's rewards, in which every new reward multiplies what was there
/// before by a discount. O(N) per reward.
class DiscountedRewards {
 public:
  explicit DiscountedRewards(int tasks) : counts_(tasks), sums_(tasks) {}

  std::span<const double> counts() const { return counts_; }
  std::span<const double> sums() const { return sums_; }

  void add(int task, double reward, double discount);
  void add_task();
  void remove_task(int task);

  nlohmann::json state() const;
  /// Throws InputError, and changes nothing, if the state does not fit.
  void restore(const nlohmann::json& state);

 private:
  std::vector<double> counts_;
  std::vector<double> sums_;
};

}  // namespace gradus
