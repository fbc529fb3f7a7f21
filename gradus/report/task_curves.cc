// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/task_curves.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/report/curves.h"
#include "gradus/report/series.h"
#include "gradus/report/statistics.h"

namespace gradus::report {
namespace {

double value_of(const TaskMetrics& metrics, TaskValues values, int task) {
  const std::vector<double>& list = metrics.*values;
  return list.empty() ? Metrics::kNone : list.at(static_cast<std::size_t>(task));
}

double together(const TaskMetrics& metrics, TaskValues values, const TaskRow& row) {
  double sum = 0;
  for (const int task : row.tasks) sum += value_of(metrics, values, task);
  const bool adds_up = values == &TaskMetrics::policy;
  return adds_up ? sum : sum / static_cast<double>(row.tasks.size());
}

Series series_of_row(const RunRecord& run, TaskValues values, const TaskRow& row) {
  Series series;
  for (const TaskMetrics& metrics : run.task_metrics) {
    const double value = together(metrics, values, row);
    if (std::isnan(value)) continue;
    series.steps.push_back(static_cast<double>(metrics.steps));
    series.values.push_back(value);
  }
  return series;
}

// The mean per bin of one task in one run.
std::vector<double> bins_of_run(const RunRecord& run, TaskValues values, int task, double end,
                                int bins) {
  std::vector<std::vector<double>> members(bins);
  const double asked = number_setting(run, "steps", std::numeric_limits<double>::infinity());
  for (const TaskMetrics& metrics : run.task_metrics) {
    const double steps = std::min(static_cast<double>(metrics.steps), asked);
    if (steps > end) break;
    const int bin = std::min(static_cast<int>(bins * steps / end), bins - 1);
    members[bin].push_back(value_of(metrics, values, task));
  }
  std::vector<double> means;
  for (const std::vector<double>& list : members) means.push_back(spread(list).mean);
  return means;
}

}  // namespace

bool is_measured(std::span<const Group> groups, TaskValues values) {
  const auto has_number = [&](const TaskMetrics& metrics) {
    return std::any_of((metrics.*values).begin(), (metrics.*values).end(),
                       [](double value) { return !std::isnan(value); });
  };
  for (const Group& group : groups) {
    for (const RunRecord* run : group.runs) {
      if (std::any_of(run->task_metrics.begin(), run->task_metrics.end(), has_number)) return true;
    }
  }
  return false;
}

std::vector<double> task_curve(const Group& group, TaskValues values, const TaskRow& row,
                               std::span<const double> grid) {
  std::vector<Series> all;
  for (const RunRecord* run : group.runs) {
    all.push_back(series_of_row(*run, values, row));
    if (!grid.empty()) hold_last_value(*run, grid.back(), all.back());
  }
  std::vector<double> curve;
  for (const double steps : grid) {
    std::vector<double> at;
    for (const Series& series : all) at.push_back(value_at(series, steps));
    curve.push_back(spread(at).mean);
  }
  return curve;
}

std::vector<std::vector<double>> time_bins(const Group& group, TaskValues values, double end,
                                           int bins) {
  const int tasks = static_cast<int>(group.runs.front()->tasks.size());
  std::vector<std::vector<double>> maps(bins, std::vector<double>(tasks));
  for (int task = 0; task < tasks; ++task) {
    std::vector<std::vector<double>> over_runs(bins);
    for (const RunRecord* run : group.runs) {
      const std::vector<double> means = bins_of_run(*run, values, task, end, bins);
      for (int bin = 0; bin < bins; ++bin) over_runs[bin].push_back(means[bin]);
    }
    for (int bin = 0; bin < bins; ++bin) maps[bin][task] = spread(over_runs[bin]).mean;
  }
  return maps;
}

}  // namespace gradus::report
