// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <ostream>

#include "gradus/core/error.h"
#include "gradus/runs/export.h"
#include "gradus/runs/export_rows.h"

namespace gradus {
namespace {

std::string field(double value) {
  return std::isnan(value) ? "" : to_text(value);
}

// Quotes the text if it contains a comma, a quote or a line break.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

double at(const std::vector<double>& values, std::size_t task) {
  return task < values.size() ? values[task] : Metrics::kNone;
}

}  // namespace

void write_metrics_csv(const RunRecord& run, std::ostream& out) {
  out << "steps,rounds,refused";
  for (const MetricField& metric : metric_fields()) out << ',' << metric.name;
  out << ",seconds,steps_per_second\n";
  for (const ExportRow& row : export_rows(run)) {
    const Metrics& metrics = *row.metrics;
    out << metrics.steps << ',' << metrics.rounds << ',' << metrics.refused;
    for (const MetricField& metric : metric_fields()) out << ',' << field(metrics.*metric.value);
    out << ',' << field(row.timing.seconds) << ',' << field(row.timing.steps_per_second) << '\n';
  }
}

void write_tasks_csv(const RunRecord& run, std::ostream& out) {
  out << "steps,task,name,policy,loss,error\n";
  for (const TaskMetrics& tasks : run.task_metrics) {
    for (std::size_t task = 0; task < tasks.policy.size(); ++task) {
      out << tasks.steps << ',' << task << ',' << field(run.tasks.at(task)) << ','
          << field(tasks.policy[task]) << ',' << field(at(tasks.loss, task)) << ','
          << field(at(tasks.error, task)) << '\n';
    }
  }
}

}  // namespace gradus
