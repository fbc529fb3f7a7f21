// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/speed_up.h"

#include <algorithm>
#include <cmath>

#include "gradus/report/statistics.h"

namespace gradus::report {
namespace {

constexpr double kConfidence = 0.95;

// Degrees of freedom by the Welch-Satterthwaite equation.
double freedom_of(const Arm& a, const Arm& b) {
  const double sum = a.variance() + b.variance();
  return sum * sum /
         (a.variance() * a.variance() / (a.runs() - 1) +
          b.variance() * b.variance() / (b.runs() - 1));
}

// The distances of the two arms add like standard errors. If all runs reached the threshold, each
// distance is t standard errors and this is Welch's interval; otherwise it is asymmetric.
Interval interval_of(const Arm& baseline, const Arm& arm) {
  const double t = student_limit(freedom_of(baseline, arm), kConfidence);
  const double difference = baseline.centre() - arm.centre();
  const double below = std::hypot(baseline.distance(t, -1), arm.distance(t, 1));
  const double above = std::hypot(baseline.distance(t, 1), arm.distance(t, -1));
  return {std::exp(difference - below), std::exp(difference + above)};
}

}  // namespace

SpeedUp speed_up(const Arm& baseline, const Arm& arm) {
  const bool few_seeds = std::min(baseline.runs(), arm.runs()) < kFewestRuns;
  const std::string too_few = few_seeds ? "too few seeds" : "too few runs reached it";
  SpeedUp result;
  if (std::isinf(baseline.centre()) || std::isinf(arm.centre())) {
    result.remark = "reached at step 0";
    return result;
  }
  const bool comparable = baseline.has_estimate() || arm.has_estimate();
  if (!comparable || baseline.runs() == 0 || arm.runs() == 0) {
    result.remark = "too few runs reached it";
    return result;
  }
  result.ratio = std::exp(baseline.centre() - arm.centre());
  if (!baseline.has_estimate()) result.bound = Bound::kAtLeast;
  if (!arm.has_estimate()) result.bound = Bound::kAtMost;
  if (few_seeds || result.bound != Bound::kNone) {
    result.remark = too_few;
  } else if (baseline.variance() + arm.variance() == 0) {
    result.remark = "seeds do not differ";
  } else {
    result.interval = interval_of(baseline, arm);
  }
  return result;
}

}  // namespace gradus::report
