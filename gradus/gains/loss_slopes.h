// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gradus/core/gain.h"

namespace gradus {

/// The last losses l_0 .. l_{n-1} of each task, and how fast they fall. The drop per visit is the
/// negative slope of their least-squares line, with m = (n - 1) / 2 and l the mean loss:
///
///   d = -sum_i (i - m) l_i / S,   S = sum_i (i - m)^2
///
/// Its squared standard error is e^2 = sum_i (l_i - l + d (i - m))^2 / ((n - 2) S). A drop within c
/// standard errors of 0 counts as 0, and a larger one is shrunk:
///
///   d max(0, 1 - c^2 e^2 / d^2)
///
/// This is the non-negative garrote (Breiman 1995). Without it, the slopes of losses that only
/// fluctuate are rewards of random sign, and a policy that follows them wanders.
class LossSlopes {
 public:
  /// Remembers the last `window` losses of each task. `errors` is c. REQUIRES window >= 4.
  LossSlopes(int window, double errors) : window_(window), errors_(errors) {}

  /// Adds the loss of the task's next visit. Returns the shrunk drop per visit, or 0 if there are
  /// fewer than 4 losses, too few to estimate an error (if c = 0: fewer than 2). Returns NaN and
  /// adds nothing if `loss` is not finite.
  double add(const std::string& task, double loss);
  void forget(const std::string& task) { losses_.erase(task); }

  /// restore() throws InputError, and changes nothing, if the state is damaged or has another
  /// window.
  nlohmann::json state() const;
  void restore(const nlohmann::json& state);

 private:
  int window_;
  double errors_;
  std::map<std::string, std::vector<double>> losses_;  // oldest first
};

/// Base of lsg, alsg and hsg, which differ in the loss that they follow and in what counts.
class SlopeGain : public Gain {
 public:
  SlopeGain(int window, double errors) : slopes_(window, errors) {}
  void forget(const std::string& task) override { slopes_.forget(task); }

 protected:
  LossSlopes slopes_;

 private:
  nlohmann::json memory() const override;
  void set_memory(const nlohmann::json& memory) override { slopes_.restore(memory); }
};

}  // namespace gradus
