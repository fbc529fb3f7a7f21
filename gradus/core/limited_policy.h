// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "gradus/core/ordered_limits.h"
#include "gradus/core/policy.h"
#include "gradus/core/task_limits.h"

namespace gradus {

/// A policy's distribution under limits (limited_distribution()), kept for draws in one of three
/// ways. Limits of few kinds on many tasks are OrderedLimits: refresh() and a draw take O(log N).
/// Otherwise, with limits on K of N tasks, refresh() takes O(K log N) if Policy::below() takes
/// O(log N) per task: the other tasks only have a common factor. A draw takes O(log K) and the time
/// of Policy::draw(). If K is more than N / 2, or the policy gives the tasks without limits almost
/// nothing, all probabilities are stored instead: refresh() then takes O(N log N) and a draw
/// O(log N).
///
/// The policy is passed to every call. It must be the one of the last refresh(), unchanged.
class LimitedPolicy {
 public:
  LimitedPolicy() = default;
  /// REQUIRES limits that pass check_limits(). Drops those that limit nothing. Call refresh() next.
  explicit LimitedPolicy(TaskLimits limits);

  bool empty() const { return limits_.empty(); }
  const TaskLimits& limits() const { return limits_; }
  TaskLimit limit(int task) const;

  /// Before refresh(), call changed() for the task of every Policy::update() since the last
  /// refresh(). refresh() then follows the policy. Both do nothing if there are no limits.
  void changed(int task);
  void refresh(const Policy& policy);

  /// As in Policy. REQUIRE limits.
  double probability(const Policy& policy, int task) const;
  std::vector<double> probabilities(const Policy& policy) const;
  int draw(const Policy& policy, double u) const;

 private:
  // Tasks without limits between two that have some.
  struct Gap {
    int first = 0;
    int count = 0;
    double start = 0;  // cumulative probability under the policy
    double mass = 0;
  };

  bool refresh_ordered(const Policy& policy);
  std::vector<Gap> find_gaps(const Policy& policy) const;
  void store_all(const Policy& policy);
  void store_limited(const Policy& policy, double rest);
  int draw_in_gap(const Policy& policy, const Gap& gap, double offset) const;

  TaskLimits limits_;
  std::optional<OrderedLimits> ordered_;  // if OrderedLimits applies
  bool is_ordered_ = false;               // whether draws use ordered_
  int ordered_for_ = -1;                  // number of tasks for which ordered_ was made
  std::vector<int> changed_;              // since the last refresh()
  std::vector<int> tasks_;                // the tasks with limits, in order
  std::vector<double> limited_;           // their probabilities, or those of all tasks
  std::vector<Gap> gaps_;           // before each of tasks_ and after the last; empty if all stored
  double factor_ = 1;               // of the tasks without limits
  std::vector<double> cumulative_;  // upper ends: of all tasks, or of gap, task, gap, ..., gap
};

}  // namespace gradus
