// SPDX-License-Identifier: Apache-2.0
#include "gradus/policies/memory.h"

#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/policies/policies.h"

namespace gradus {
namespace {

constexpr double kRewardsPerTask = 100;

// A smaller discounted number counts as 0, long before its quotients lose precision.
constexpr double kForgotten = 1e-9;

}  // namespace

Window::Window(std::optional<double> window) : window_(window) {
  if (!window) return;
  checked(PolicySettings{.window = window});
  if (*window == std::floor(*window)) return;
  throw InputError("window is " + to_text(*window) + ", expected a whole number");
}

double Window::at(int tasks) const {
  return window_ ? *window_ : kRewardsPerTask * tasks;
}

nlohmann::json Window::setting() const {
  return window_ ? nlohmann::json(*window_) : nlohmann::json("auto");
}

void DiscountedRewards::add(int task, double reward, double discount) {
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const bool forgotten = counts_[i] * discount < kForgotten;
    counts_[i] = forgotten ? 0 : counts_[i] * discount;
    sums_[i] = forgotten ? 0 : sums_[i] * discount;
  }
  counts_[task] += 1;
  sums_[task] += reward;
}

void DiscountedRewards::add_task() {
  counts_.push_back(0);
  sums_.push_back(0);
}

void DiscountedRewards::remove_task(int task) {
  counts_.erase(counts_.begin() + task);
  sums_.erase(sums_.begin() + task);
}

nlohmann::json DiscountedRewards::state() const {
  return {{"counts", counts_}, {"sums", sums_}};
}

void DiscountedRewards::restore(const nlohmann::json& state) {
  std::vector<double> counts = read_numbers(state, "counts", counts_.size());
  std::vector<double> sums = read_numbers(state, "sums", sums_.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    // Rewards are in [-1, 1]; rounding may make a sum slightly larger than its number.
    if (counts[i] >= 0 && std::abs(sums[i]) <= counts[i] * (1 + 1e-9)) continue;
    throw InputError("saved policy has " + to_text(counts[i]) + " rewards of task " +
                     std::to_string(i) + " that sum to " + to_text(sums[i]) +
                     ", expected rewards from -1 to 1");
  }
  counts_ = std::move(counts);
  sums_ = std::move(sums);
}

}  // namespace gradus
