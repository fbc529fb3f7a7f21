// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

namespace gradus {

/// A user's limits on the probability of one task. They override the policy.
struct TaskLimit {
  double floor = 0;     ///< lowest probability
  double ceiling = 1;   ///< highest probability
  bool frozen = false;  ///< never drawn; floor and ceiling are ignored while frozen
  bool operator==(const TaskLimit&) const = default;
};

/// Limits by task. A task that is not listed has none.
using TaskLimits = std::map<int, TaskLimit>;

/// Throws InputError naming the task unless 0 <= floor <= ceiling <= 1 and ceiling > 0 for every
/// task. Throws InputError unless some distribution satisfies all limits: at least one task is not
/// frozen, and over the tasks that are not frozen the floors sum to at most 1 and the ceilings to
/// at least 1.
void check_limits(std::span<const std::string> tasks, const TaskLimits& limits);

/// The policy's distribution under limits. Frozen tasks have probability 0. The others have
///
///   clamp(s p_i, floor_i, ceiling_i),   with one s for all, chosen so that they sum to 1.
///
/// Tasks within their limits keep their ratios. If the ceilings of all tasks that the policy may
/// draw sum to less than 1, the tasks that it never draws share the rest equally, within their
/// limits. REQUIRES limits that pass check_limits().
std::vector<double> limited_distribution(std::span<const double> policy,
                                         std::span<const TaskLimit> limits);

}  // namespace gradus
