// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "gradus/runs/run_record.h"

namespace gradus::report {

/// One metric of a run over time, without the evaluations that did not measure it.
struct Series {
  std::vector<double> steps;  ///< increasing
  std::vector<double> values;
};
Series series_of(const RunRecord& run, double Metrics::*value);

/// The value at `steps`, by linear interpolation; NaN before the first and after the last
/// evaluation.
double value_at(const Series& series, double steps);

/// Input steps at which the series first reaches `threshold`: at or above it if `rising`, else at
/// or below it. Interpolates linearly between the evaluations before and after. Empty if it never
/// reaches the threshold.
std::optional<double> steps_to_reach(const Series& series, double threshold, bool rising);

}  // namespace gradus::report
