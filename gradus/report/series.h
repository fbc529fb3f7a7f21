#pragma once

#include <optional>
#include <vector>

#include "gradus/runs/run_record.h"

namespace gradus::report {

/// One number of a run over time, without the evaluations at which it was not measured.
struct Series {
  std::vector<double> steps;  ///< increasing
  std::vector<double> values;
};
Series series_of(const RunRecord& run, double Metrics::*value);

/// The series at `steps`, linear between evaluations; NaN before the first and after the last.
double value_at(const Series& series, double steps);

/// Input steps at which the series first is at `threshold` or beyond it: below, or above where
/// `rising`. Linear between the last evaluation on this side and the first on the other; empty
/// where it never gets there.
std::optional<double> steps_to_reach(const Series& series, double threshold, bool rising);

}  // namespace gradus::report
