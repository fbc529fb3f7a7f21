// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <ostream>

#include <nlohmann/json.hpp>

#include "gradus/runs/export.h"
#include "gradus/runs/export_rows.h"

namespace gradus {
namespace {

using nlohmann::ordered_json;

// JSON has neither NaN nor infinities: NaN becomes null, infinities become strings.
ordered_json number(double value) {
  if (std::isnan(value)) return nullptr;
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

ordered_json numbers(const std::vector<double>& values) {
  ordered_json list = ordered_json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

}  // namespace

void write_jsonl(const RunRecord& run, std::ostream& out) {
  ordered_json facts = {
      {"type", "run"},          {"format", 1},          {"version", run.version},
      {"started", run.started}, {"status", run.status}, {"settings", run.settings},
      {"tasks", run.tasks},     {"units", run.units},   {"target", nullptr}};
  if (run.target) facts["target"] = *run.target;
  out << facts.dump() << '\n';
  for (const auto& [stored, timing, tasks] : export_rows(run)) {
    const Metrics& metrics = *stored;
    ordered_json row = {{"type", "metrics"},
                        {"steps", metrics.steps},
                        {"rounds", metrics.rounds},
                        {"refused", metrics.refused}};
    for (const MetricField& metric : metric_fields()) {
      row[metric.name] = number(metrics.*metric.value);
    }
    row["seconds"] = number(timing.seconds);
    row["steps_per_second"] = number(timing.steps_per_second);
    if (tasks) {
      row["policy"] = numbers(tasks->policy);
      row["loss"] = numbers(tasks->loss);
      row["error"] = numbers(tasks->error);
    }
    out << row.dump() << '\n';
  }
}

}  // namespace gradus
