// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gradus/core/ordered_sums.h"
#include "gradus/core/policy.h"
#include "gradus/core/task_limits.h"

namespace gradus {

/// The distribution clamp(s p_i, floor_i, ceiling_i) of limited_distribution() for a policy with
/// p_i = scale v_i + offset c_i (Policy::affine_form()) and for limits of few kinds: a kind is a
/// floor and a ceiling relative to c_i. Within a kind, the tasks at their floor come first in the
/// order of v_i / c_i, those at their ceiling last. So following a change of one v_i, finding s and
/// drawing all take O(log N) per kind, however many tasks have limits.
class OrderedLimits {
 public:
  /// Returns nothing if the policy or the limits are not as above. REQUIRES check_limits().
  static std::optional<OrderedLimits> make(const Policy& policy, const TaskLimits& limits);

  /// Follows the policy, whose size must not have changed. Between two calls, update() was called
  /// for the tasks of `changed` only. Returns false if there is no such s, or none that is exact
  /// enough. The result depends on the policy's state alone, not on earlier calls.
  bool refresh(const Policy& policy, std::span<const int> changed);

  /// The factor s.
  double factor() const { return factor_; }
  /// The task at quantile u, with tasks in order of their kind and of v_i / c_i.
  int draw(double u) const;

 private:
  // A kind of limit, and its tasks at the current factor.
  struct Kind {
    double floor = 0;    // of v_i / c_i
    double ceiling = 0;  // likewise; infinite if there is none
    OrderedSums::Sums low = {};
    OrderedSums::Sums free = {};
    OrderedSums::Sums high = {};
  };

  OrderedLimits(std::vector<Kind> kinds, std::vector<int> kind_of);
  void insert(const Policy& policy, int task);
  void divide(double factor);
  bool find_factor();

  std::vector<Kind> kinds_;
  std::vector<int> kind_of_;  // by task; -1 if frozen
  OrderedSums sums_;
  AffineForm form_;
  bool filled_ = false;
  double factor_ = 1;
};

}  // namespace gradus
