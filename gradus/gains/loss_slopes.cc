// SPDX-License-Identifier: Apache-2.0
#include "gradus/gains/loss_slopes.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"

namespace gradus {
namespace {

using nlohmann::json;

// The fewest losses from which an error is estimated.
constexpr std::size_t kFewest = 4;

struct Drop {
  double value = 0;
  double squared_error = 0;
};

// REQUIRES at least 2 losses. With 2, there is no error.
Drop drop_of(const std::vector<double>& losses) {
  const auto n = static_cast<double>(losses.size());
  const double middle = (n - 1) / 2;
  const double spread = n * (n * n - 1) / 12;
  const double mean = std::accumulate(losses.begin(), losses.end(), 0.0) / n;
  Drop drop;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    drop.value -= (static_cast<double>(i) - middle) * losses[i] / spread;
  }
  double squares = 0;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    squares += std::pow(losses[i] - mean + drop.value * (static_cast<double>(i) - middle), 2);
  }
  if (losses.size() > 2) drop.squared_error = squares / ((n - 2) * spread);
  return drop;
}

}  // namespace

double LossSlopes::add(const std::string& task, double loss) {
  if (!std::isfinite(loss)) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double>& losses = losses_[task];
  if (static_cast<int>(losses.size()) == window_) losses.erase(losses.begin());
  losses.push_back(loss);
  if (losses.size() < (errors_ > 0 ? kFewest : 2)) return 0;
  const Drop drop = drop_of(losses);
  const double allowed = errors_ * errors_ * drop.squared_error;
  if (drop.value * drop.value <= allowed) return 0;
  return drop.value - allowed / drop.value;
}

json LossSlopes::state() const {
  return {{"window", window_}, {"losses", losses_}};
}

void LossSlopes::restore(const json& state) {
  const std::uint64_t window = read_count(state, "window");
  if (window != static_cast<std::uint64_t>(window_)) {
    throw InputError("saved gain has slope.window " + std::to_string(window) + ", expected " +
                     std::to_string(window_));
  }
  std::map<std::string, std::vector<double>> losses;
  const json& saved = read_field(state, "losses");
  if (!saved.is_object()) throw InputError("saved gain has no list of losses by task");
  for (const auto& [task, list] : saved.items()) {
    if (!list.is_array() || list.size() > window) {
      throw InputError("saved gain has losses of task \"" + task + "\" that are not a list of at " +
                       "most " + std::to_string(window) + " numbers");
    }
    losses[task] = read_numbers(saved, task.c_str(), list.size());
  }
  losses_ = std::move(losses);
}

json SlopeGain::memory() const {
  return slopes_.state();
}

}  // namespace gradus
