#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gradus/report/groups.h"
#include "gradus/report/measures.h"
#include "gradus/report/statistics.h"

namespace gradus::report {

/// How runs are compared: by the input steps until a measure is at the threshold or beyond it.
struct Goal {
  Measure measure;
  std::optional<double> threshold;  ///< none where nothing suggests one
  std::string origin;               ///< where the threshold is from, in words
};

/// The measure named, or else the target's loss, the tasks completed (bAbI) or the mean loss; the
/// threshold given, or else for the target's loss in repeat copy 0.1 nats, or else what every run
/// of uniform sampling has come to by its end: the worst of their last values.
/// Throws InputError for an unknown measure, or one that no run has.
Goal choose_goal(std::span<const Group> groups, const std::string& measure,
                 std::optional<double> threshold);

/// Whether a number is what it says, or a bound since some runs did not reach the threshold.
enum class Bound { kExact, kAtLeast, kAtMost };

struct SpeedUp {
  double ratio = 0;  ///< mean steps of uniform sampling / mean steps of the group
  Bound bound = Bound::kExact;
  /// 95%; none for a bound, or where uniform sampling or the group has a single run.
  std::optional<Interval> interval;
};

/// A group's row of the table.
struct Comparison {
  int runs = 0;
  int reached = 0;  ///< of them, those that reached the threshold
  /// Steps to the threshold. Where some did not reach it they count with the steps that they have
  /// done, and the mean is a lower bound.
  Spread steps;
  std::string uniform;              ///< the group compared with; empty where there is none
  std::optional<SpeedUp> speed_up;  ///< none without it, or where both means are bounds
  Spread last;                      ///< the measure at each run's last evaluation
};

std::vector<Comparison> compare(std::span<const Group> groups, const Goal& goal);

}  // namespace gradus::report
