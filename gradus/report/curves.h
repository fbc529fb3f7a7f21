// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gradus/report/groups.h"
#include "gradus/report/series.h"
#include "gradus/report/statistics.h"

namespace gradus::report {

/// Evenly spaced steps from 0 to the end of the longest run. There are as many points as the run
/// with the most evaluations has evaluations, at most `most`. A run ends at its last evaluation, or
/// at the steps in its settings if the last batch went beyond them, so that all finished runs reach
/// the last point.
std::vector<double> step_grid(std::span<const Group> groups, std::size_t most);

/// Extends the series to `end` with its last value if the run ended early because it had solved the
/// target (stop.target_loss). Without this, a mean would be over the slow runs only.
void hold_last_value(const RunRecord& run, double end, Series& series);

/// Mean and deviation at each point of the grid, over the runs that have reached it or ended early.
std::vector<Spread> mean_curve(const Group& group, double Metrics::*value,
                               std::span<const double> grid);

}  // namespace gradus::report
