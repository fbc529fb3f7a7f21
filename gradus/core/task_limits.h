#pragma once

#include <span>
#include <string>
#include <vector>

namespace gradus {

/// What a user says about one task's probability, whatever the policy has learned.
struct TaskLimit {
  double floor = 0;     ///< its probability is never less
  double ceiling = 1;   ///< nor ever more
  bool frozen = false;  ///< not drawn at all for now; floor and ceiling rest meanwhile
  bool operator==(const TaskLimit&) const = default;
};

/// Throws InputError, naming the task, unless 0 <= floor <= ceiling <= 1 and ceiling > 0 for every
/// task, and some distribution keeps all limits: one task is not frozen, and over those the floors
/// sum to 1 at most and the ceilings to 1 at least.
void check_limits(std::span<const std::string> tasks, std::span<const TaskLimit> limits);

/// The policy's distribution under limits. Frozen tasks have 0. The others have
///
///   clamp(s p_i, floor_i, ceiling_i),   one s for all, such that they sum to 1:
///
/// those that meet no limit keep their ratios. Where even their ceilings leave something over,
/// tasks to which the policy gives nothing share it alike. REQUIRES limits that check_limits takes.
std::vector<double> limited_distribution(std::span<const double> policy,
                                         std::span<const TaskLimit> limits);

}  // namespace gradus
