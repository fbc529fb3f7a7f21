#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gradus/report/groups.h"
#include "gradus/report/measures.h"
#include "gradus/report/speed_up.h"
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
/// of the baseline has come to by its end: the worst of their last values.
/// Throws InputError for an unknown measure, or one that no run has.
Goal choose_goal(std::span<const Group> groups, const std::string& baseline,
                 const std::string& measure, std::optional<double> threshold);

/// The name of a gain or of a group that the others are compared with: the one asked for, or else
/// "uniform", whether there are such runs or not. Throws InputError if there are none of the name
/// asked for.
std::string choose_baseline(std::span<const Group> groups, const std::string& asked);

/// A group's row of the table.
struct Comparison {
  int runs = 0;
  int reached = 0;  ///< of them, those that reached the threshold
  /// Steps to the threshold. Runs that did not reach it count with the steps that they have done,
  /// and the mean is a lower bound.
  Spread steps;
  /// exp of the arm's mean log steps: the geometric mean of the steps, or, if runs fell short, the
  /// median estimated from all. NaN if nothing is known.
  double typical = 0;
  bool typical_is_bound = false;    ///< a lower bound: too few runs reached the threshold
  std::string baseline;             ///< the group compared with; empty if there is none or several
  int baselines = 0;                ///< how many there are
  std::optional<SpeedUp> speed_up;  ///< none if there is none, or it is the group itself
  Spread last;                      ///< the measure at each run's last evaluation
};

std::vector<Comparison> compare(std::span<const Group> groups, const std::string& baseline,
                                const Goal& goal);

}  // namespace gradus::report
