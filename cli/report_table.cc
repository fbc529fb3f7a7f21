// SPDX-License-Identifier: Apache-2.0
#include "cli/report_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cli/numbers.h"
#include "cli/table.h"

namespace gradus::cli {
namespace {

using report::Bound;
using report::Comparison;
using report::Spread;

std::string number_text(double value) {
  return fmt::format("{:.4g}", value);
}

template <typename Show>
std::string spread_text(const Spread& spread, Show show) {
  if (spread.n == 0) return "-";
  return show(spread.mean) + (spread.n > 1 ? " +- " + show(spread.deviation) : "");
}

std::string steps_column(const Comparison& row) {
  if (row.reached == row.runs) return spread_text(row.steps, short_number);
  return fmt::format("> {} ({} of {} reached it)", short_number(row.steps.mean), row.reached,
                     row.runs);
}

std::string typical_column(const Comparison& row) {
  if (!std::isfinite(row.typical)) return "-";
  return (row.typical_is_bound ? "> " : "") + short_number(row.typical);
}

std::string bound_text(Bound bound) {
  return bound == Bound::kAtLeast ? "at least " : bound == Bound::kAtMost ? "at most " : "";
}

std::string speed_up_column(const Comparison& row, const std::string& group,
                            const std::string& baseline) {
  if (row.baseline == group) return "baseline";
  if (row.baselines > 1)
    return fmt::format("{} groups of {}: name one with --baseline", row.baselines, baseline);
  if (!row.speed_up) return fmt::format("no {} runs", baseline);
  const report::SpeedUp& speed_up = *row.speed_up;
  if (!speed_up.ratio) return speed_up.remark;
  const std::string ratio = fmt::format("{}{:.3g}x", bound_text(speed_up.bound), *speed_up.ratio);
  if (!speed_up.interval) return fmt::format("{} ({})", ratio, speed_up.remark);
  return fmt::format("{} ({:.3g} to {:.3g})", ratio, speed_up.interval->low,
                     speed_up.interval->high);
}

}  // namespace

nlohmann::ordered_json table_json(const nlohmann::ordered_json& document, const std::string& file) {
  nlohmann::ordered_json json = {{"report", file}};
  for (const char* key : {"title", "curriculum", "finding", "notes", "baseline", "goal"}) {
    json[key] = document.at(key);
  }
  json["table"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < document.at("table").size(); ++i) {
    nlohmann::ordered_json row = {{"group", document.at("groups").at(i).at("name")}};
    row.update(document.at("table").at(i));
    json["table"].push_back(row);
  }
  return json;
}

std::string table_text(const report::Report& report) {
  const report::Goal& goal = report.goal;
  const std::string& measure = goal.measure.name;
  Row head = {"signal", "runs", "", "", "", "final " + measure};
  if (!goal.measure.unit.empty()) head.back() += " (" + goal.measure.unit + ")";
  if (goal.threshold) {
    head[2] = fmt::format("steps to {} {} {}", measure,
                          goal.measure.rising ? ">=" : "<=", number_text(*goal.threshold));
    head[3] = "typical";
    head[4] = fmt::format("speed-up over {} (95%)", report.baseline);
  }
  std::vector<Row> rows = {head};
  for (std::size_t i = 0; i < report.table.size(); ++i) {
    const Comparison& row = report.table[i];
    const report::Group& group = report.grouping.groups[i];
    Row line = {group.name, std::to_string(row.runs), "", "", "", ""};
    if (goal.threshold) {
      line[2] = steps_column(row);
      line[3] = typical_column(row);
      line[4] = speed_up_column(row, group.name, report.baseline);
    }
    line[5] = spread_text(row.last, number_text);
    rows.push_back(line);
  }
  return aligned(rows);
}

}  // namespace gradus::cli
