#pragma once

#include <vector>

#include "gradus/report/groups.h"
#include "gradus/report/task_views.h"

namespace gradus::report {

/// One of the lists of a TaskMetrics.
using TaskValues = std::vector<double> TaskMetrics::*;

/// Whether any run of the groups has such a list with a number in it.
bool is_measured(std::span<const Group> groups, TaskValues values);

/// The row over time, mean over those runs that have come that far: the sum of its tasks'
/// probabilities, or the mean of their losses or errors.
std::vector<double> task_curve(const Group& group, TaskValues values, const TaskRow& row,
                               std::span<const double> grid);

/// The paper's figure 3: time from 0 to `end` in `bins` equal parts, and for each part and task the
/// mean over the evaluations of a run in it, then over runs. Evaluations past `end` count to the
/// last part. NaN where nothing was measured.
std::vector<std::vector<double>> time_bins(const Group& group, TaskValues values, double end,
                                           int bins);

}  // namespace gradus::report
