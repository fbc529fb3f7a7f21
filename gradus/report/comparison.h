// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gradus/report/groups.h"
#include "gradus/report/measures.h"
#include "gradus/report/speed_up.h"
#include "gradus/report/statistics.h"

namespace gradus::report {

/// How runs are compared: by the input steps until a measure reaches or passes the threshold.
struct Goal {
  Measure measure;
  std::optional<double> threshold;  ///< none if there is no default for these runs
  std::string origin;               ///< where the threshold comes from, in words
};

/// Chooses measure and threshold.
/// Measure: `measure` if not empty, else that of the curriculum (CurriculumDescription::measure).
/// Threshold: `threshold` if given, else the value at which the curriculum counts as solved, else
/// what every run of the baseline has reached by its end: the worst of their last values.
/// Throws InputError if the measure is unknown, or no run has it.
Goal choose_goal(std::span<const Group> groups, const std::string& baseline,
                 const std::string& measure, std::optional<double> threshold);

/// The gain or group that the others are compared with: `asked`, or "uniform" if it is empty, even
/// if there are no such runs. Throws InputError if no gain or group is called `asked`.
std::string choose_baseline(std::span<const Group> groups, const std::string& asked);

/// One row of the table: one group.
struct Comparison {
  int runs = 0;
  int reached = 0;  ///< how many of them reached the threshold
  /// Steps to the threshold. A run that did not reach it counts with the steps that it has done, so
  /// that the mean is a lower bound.
  Spread steps;
  /// exp of the arm's mean log steps: the geometric mean of the steps if all runs reached the
  /// threshold, else the median estimated from all runs. NaN if unknown.
  double typical = 0;
  bool typical_is_bound = false;    ///< lower bound, since too few runs reached the threshold
  std::string baseline;             ///< group compared with; empty unless there is exactly one
  int baselines = 0;                ///< number of groups that the baseline could be
  std::optional<SpeedUp> speed_up;  ///< none without a baseline, and for the baseline itself
  Spread last;                      ///< the measure at the last evaluation of each run
};

/// One row per group, in the order of `groups`.
std::vector<Comparison> compare(std::span<const Group> groups, const std::string& baseline,
                                const Goal& goal);

}  // namespace gradus::report
