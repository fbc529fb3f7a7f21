// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace gradus {

/// The last losses of each task, and how fast they fall.
class LossSlopes {
 public:
  /// Remembers the last `window` losses of each task. REQUIRES window >= 2.
  explicit LossSlopes(int window) : window_(window) {}

  /// Adds the loss of the task's next visit. Returns the drop in loss per visit: the negative slope
  /// of the least-squares line through the losses that it remembers,
  ///
  ///   -sum_i (i - m) l_i / sum_i (i - m)^2,   i = 0 .. n-1,   m = (n - 1) / 2
  ///
  /// or 0 at the first visit. Returns NaN and adds nothing if `loss` is not finite.
  double add(const std::string& task, double loss);
  void forget(const std::string& task) { losses_.erase(task); }

  /// restore() throws InputError, and changes nothing, if the state is damaged or has another
  /// window.
  nlohmann::json state() const;
  void restore(const nlohmann::json& state);

 private:
  int window_;
  std::map<std::string, std::vector<double>> losses_;  // oldest first
};

}  // namespace gradus
