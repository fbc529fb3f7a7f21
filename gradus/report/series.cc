// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/series.h"

#include <algorithm>
#include <cmath>

namespace gradus::report {

Series series_of(const RunRecord& run, double Metrics::*value) {
  Series series;
  for (const Metrics& metrics : run.metrics) {
    if (std::isnan(metrics.*value)) continue;
    series.steps.push_back(static_cast<double>(metrics.steps));
    series.values.push_back(metrics.*value);
  }
  return series;
}

double value_at(const Series& series, double steps) {
  const auto next = std::lower_bound(series.steps.begin(), series.steps.end(), steps);
  if (next == series.steps.end()) return Metrics::kNone;
  const auto i = static_cast<std::size_t>(next - series.steps.begin());
  if (*next == steps) return series.values[i];
  if (i == 0) return Metrics::kNone;
  const double share = (steps - series.steps[i - 1]) / (series.steps[i] - series.steps[i - 1]);
  return series.values[i - 1] + share * (series.values[i] - series.values[i - 1]);
}

std::optional<double> steps_to_reach(const Series& series, double threshold, bool rising) {
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    const double value = series.values[i];
    if (rising ? value < threshold : value > threshold) continue;
    const double before = i == 0 ? Metrics::kNone : series.values[i - 1];
    if (!std::isfinite(before)) return series.steps[i];  // no value to interpolate from
    const double share = (threshold - before) / (value - before);
    return series.steps[i - 1] + share * (series.steps[i] - series.steps[i - 1]);
  }
  return std::nullopt;
}

}  // namespace gradus::report
