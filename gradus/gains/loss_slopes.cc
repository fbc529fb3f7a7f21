// SPDX-License-Identifier: Apache-2.0
#include "gradus/gains/loss_slopes.h"

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"

namespace gradus {
namespace {

using nlohmann::json;

double slope(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += (static_cast<double>(i) - (n - 1) / 2) * values[i];
  }
  return sum / (n * (n * n - 1) / 12);
}

}  // namespace

double LossSlopes::add(const std::string& task, double loss) {
  if (!std::isfinite(loss)) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double>& losses = losses_[task];
  if (static_cast<int>(losses.size()) == window_) losses.erase(losses.begin());
  losses.push_back(loss);
  return losses.size() < 2 ? 0 : -slope(losses);
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

}  // namespace gradus
