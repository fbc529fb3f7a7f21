#include "cli/report_table.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "cli/numbers.h"

namespace gradus::cli {
namespace {

using report::Bound;
using report::Comparison;
using report::Spread;

constexpr std::size_t kColumns = 5;
using Row = std::array<std::string, kColumns>;

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

std::string speed_up_column(const Comparison& row, const report::Group& group) {
  if (group.gain == "uniform") return "baseline";
  if (row.uniform.empty()) return "no uniform runs";
  if (!row.speed_up) return "too few reached it";
  const report::SpeedUp& speed_up = *row.speed_up;
  const char* bound = speed_up.bound == Bound::kAtLeast  ? "at least "
                      : speed_up.bound == Bound::kAtMost ? "at most "
                                                         : "";
  std::string text = fmt::format("{}{:.3g}x", bound, speed_up.ratio);
  if (speed_up.interval) {
    text += fmt::format(" ({:.3g} to {:.3g})", speed_up.interval->low, speed_up.interval->high);
  }
  return text;
}

std::string aligned(const std::vector<Row>& rows) {
  std::array<std::size_t, kColumns> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < kColumns; ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < kColumns; ++i) {
      if (widths[i] > 0) line += fmt::format("{:{}}  ", row[i], widths[i]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace

std::string table_text(const report::Report& report) {
  const report::Goal& goal = report.goal;
  const std::string& measure = goal.measure.name;
  Row head = {"signal", "runs", "", "", "final " + measure};
  if (!goal.measure.unit.empty()) head[4] += " (" + goal.measure.unit + ")";
  if (goal.threshold) {
    head[2] = fmt::format("steps to {} {} {}", measure,
                          goal.measure.rising ? ">=" : "<=", number_text(*goal.threshold));
    head[3] = "speed-up over uniform (95%)";
  }
  std::vector<Row> rows = {head};
  for (std::size_t i = 0; i < report.table.size(); ++i) {
    const Comparison& row = report.table[i];
    const report::Group& group = report.grouping.groups[i];
    rows.push_back({group.name, std::to_string(row.runs), goal.threshold ? steps_column(row) : "",
                    goal.threshold ? speed_up_column(row, group) : "",
                    spread_text(row.last, number_text)});
  }
  return aligned(rows);
}

}  // namespace gradus::cli
