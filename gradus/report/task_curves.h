// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gradus/report/groups.h"
#include "gradus/report/task_views.h"

namespace gradus::report {

/// A member of TaskMetrics: policy, loss or error.
using TaskValues = std::vector<double> TaskMetrics::*;

/// Whether any run has at least one number in this list.
bool is_measured(std::span<const Group> groups, TaskValues values);

/// The row at each point of the grid, mean over the runs that have reached it or ended early: the
/// sum of the probabilities of its tasks, or the mean of their losses or errors.
std::vector<double> task_curve(const Group& group, TaskValues values, const TaskRow& row,
                               std::span<const double> grid);

/// result[bin][task], as in the paper's figure 3: the time from 0 to `end` in `bins` equal parts,
/// and for each part and task the mean over the evaluations of a run in that part, then over runs.
/// Evaluations after `end` do not count, except the last one of a run whose settings end it there:
/// its last batch may go slightly beyond. NaN if nothing was measured.
std::vector<std::vector<double>> time_bins(const Group& group, TaskValues values, double end,
                                           int bins);

}  // namespace gradus::report
