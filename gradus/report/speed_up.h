// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "gradus/report/arm.h"

namespace gradus::report {

/// Whether a number is an estimate, or a bound because too few runs reached the threshold.
enum class Bound { kNone, kAtLeast, kAtMost };

struct Interval {
  double low = 0;
  double high = 0;
};

/// Typical steps of the baseline divided by those of the arm; typical steps are exp(Arm::centre()).
struct SpeedUp {
  /// None if both are bounds, an arm has no runs, or a run reached the threshold at step 0.
  std::optional<double> ratio;
  Bound bound = Bound::kNone;
  /// 95% interval: Welch's t interval of the difference of mean log steps. None for a bound, or if
  /// an arm has fewer than three runs or the seeds do not differ.
  std::optional<Interval> interval;
  std::string remark;  ///< why there is no ratio or no interval; empty if there are both
};
SpeedUp speed_up(const Arm& baseline, const Arm& arm);

}  // namespace gradus::report
