// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "gradus/report/groups.h"
#include "gradus/report/series.h"
#include "gradus/report/statistics.h"

namespace gradus::report {

/// Evenly spaced steps from 0 to the end of the longest run. There are as many points as the run
/// with the most evaluations has evaluations, at most `most`. A run ends at its last evaluation, or
/// at the steps in its settings if the last batch went beyond them, so that all finished runs reach
/// the last point. If `end` is given, the grid ends there.
std::vector<double> step_grid(std::span<const Group> groups, std::size_t most,
                              std::optional<double> end = {});

/// Extends the series to `end` with its last value if the run ended early because it had solved the
/// target (stop.target_loss). Without this, a mean would be over the slow runs only.
void hold_last_value(const RunRecord& run, double end, Series& series);

/// A metric of a group over time: at each point of a grid, over the runs that have reached it or
/// ended early.
struct GroupCurve {
  std::vector<Spread> spread;
  std::vector<Quartiles> quartiles;
  std::vector<std::vector<double>> runs;  ///< of each run; NaN where it has no value
};
GroupCurve group_curve(const Group& group, double Metrics::*value, std::span<const double> grid);

}  // namespace gradus::report
