#pragma once

#include <vector>

#include "gradus/report/groups.h"
#include "gradus/report/statistics.h"

namespace gradus::report {

/// Evenly spaced steps from 0 to the end of the longest run, as many as its evaluations, at most
/// `most`. A run ends at its last evaluation or, where the last batch went past it, at the number
/// of steps that its settings ask for, so that all finished runs reach the last point.
std::vector<double> step_grid(std::span<const Group> groups, std::size_t most);

/// Mean and deviation at each point of the grid over those runs that have come that far.
std::vector<Spread> mean_curve(const Group& group, double Metrics::*value,
                               std::span<const double> grid);

}  // namespace gradus::report
