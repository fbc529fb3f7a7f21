// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/curves.h"

#include <algorithm>

#include "gradus/report/series.h"

namespace gradus::report {
namespace {

double end_of(const RunRecord& run) {
  const double last = last_steps(run);
  return std::min(last, number_setting(run, "steps", last));
}

// Whether the run reached the goal of its stop.target_loss.
bool ended_early(const RunRecord& run) {
  return run.status == "finished" && number_setting(run, "stop.target_loss", 0) > 0 &&
         last_steps(run) < number_setting(run, "steps", 0);
}

}  // namespace

void hold_last_value(const RunRecord& run, double end, Series& series) {
  if (!ended_early(run) || series.steps.empty() || series.steps.back() >= end) return;
  series.steps.push_back(end);
  series.values.push_back(series.values.back());
}

std::vector<double> step_grid(std::span<const Group> groups, std::size_t most,
                              std::optional<double> given_end) {
  double end = 0;
  std::size_t evaluations = 0;
  for (const Group& group : groups) {
    for (const RunRecord* run : group.runs) {
      end = std::max(end, end_of(*run));
      evaluations = std::max(evaluations, run->metrics.size());
    }
  }
  end = given_end.value_or(end);
  if (evaluations == 0) return {};
  if (end == 0) return {0.0};
  const std::size_t points = std::clamp<std::size_t>(evaluations, 2, most);
  std::vector<double> grid;
  for (std::size_t i = 0; i < points; ++i) {
    grid.push_back(end * static_cast<double>(i) / static_cast<double>(points - 1));
  }
  return grid;
}

GroupCurve group_curve(const Group& group, double Metrics::*value, std::span<const double> grid) {
  GroupCurve curve;
  for (const RunRecord* run : group.runs) {
    Series series = series_of(*run, value);
    if (!grid.empty()) hold_last_value(*run, grid.back(), series);
    std::vector<double>& values = curve.runs.emplace_back();
    for (const double steps : grid) values.push_back(value_at(series, steps));
  }
  for (std::size_t i = 0; i < grid.size(); ++i) {
    std::vector<double> values;
    for (const std::vector<double>& run : curve.runs) values.push_back(run[i]);
    curve.spread.push_back(spread(values));
    curve.quartiles.push_back(quartiles(values));
  }
  return curve;
}

}  // namespace gradus::report
