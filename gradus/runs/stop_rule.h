// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include <nlohmann/json.hpp>

#include "gradus/core/setting.h"

namespace gradus {

/// When a run ends before its last step: once its target task has stayed solved for a while.
struct StopSettings {
  double target_loss = 0;  ///< 0 means never
  std::int64_t after = 0;
  double share = 1;
};

std::vector<Setting> settings_of(StopSettings& settings);

/// Tells from the evaluations of the target whether a run may end: at least `share` of those
/// during the last `after` steps were below `target_loss`. The last evaluation before these steps
/// counts too, since it shows the loss with which they began.
class StopRule {
 public:
  explicit StopRule(const StopSettings& settings) : settings_(settings) {}

  /// Takes the target's loss after `steps` steps. REQUIRES no fewer steps than in the last call.
  void see(std::int64_t steps, double loss);
  /// Whether a run that has trained `steps` steps may end.
  bool reached(std::int64_t steps) const;

  nlohmann::json save() const;
  /// Throws InputError if `state` was not made by save().
  void restore(const nlohmann::json& state);

 private:
  struct Seen {
    std::int64_t steps;
    bool below;
  };
  // The first evaluation that counts after `steps` steps; the end if they do not reach back enough.
  std::deque<Seen>::const_iterator first(std::int64_t steps) const;

  StopSettings settings_;
  std::deque<Seen> seen_;  // those that may still count, in order
};

}  // namespace gradus
