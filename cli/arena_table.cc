// SPDX-License-Identifier: Apache-2.0
#include "cli/arena_table.h"

#include <cmath>

#include <fmt/format.h>

#include "cli/table.h"

namespace gradus::cli {
namespace {

using report::ArenaRow;
using report::Bound;
using report::Comparison;
using report::SpeedUp;
using report::Verdict;

std::string cell_text(const Comparison* cell) {
  if (!cell || !cell->speed_up || !cell->speed_up->ratio) return "";
  const SpeedUp& speed_up = *cell->speed_up;
  const Verdict verdict = verdict_of(speed_up);
  return fmt::format("{}{:.3g}{}",
                     speed_up.bound == Bound::kAtLeast  ? ">"
                     : speed_up.bound == Bound::kAtMost ? "<"
                                                        : "",
                     *speed_up.ratio,
                     verdict == Verdict::kFaster   ? "+"
                     : verdict == Verdict::kSlower ? "-"
                                                   : "");
}

std::string worst_text(const ArenaRow& row, const std::vector<std::string>& columns) {
  if (!row.worst) return "";
  return cell_text(row.cells[*row.worst]) + " " + columns[*row.worst];
}

}  // namespace

std::string table_text(const report::Arena& arena) {
  std::vector<Row> rows = {{"arm"}};
  for (const std::string& column : arena.columns) rows[0].push_back(column);
  for (const char* name : {"worst", "passes", "time"}) rows[0].emplace_back(name);
  for (const ArenaRow& row : arena.rows) {
    Row& line = rows.emplace_back(Row{row.arm});
    for (const Comparison* cell : row.cells) line.push_back(cell_text(cell));
    line.push_back(worst_text(row, arena.columns));
    line.push_back(fmt::format("{:g}", row.passes));
    line.push_back(std::isfinite(row.relative_time) ? fmt::format("{:.2f}x", row.relative_time)
                                                    : "");
  }
  return aligned(rows) +
         "\nSpeed-up over uniform sampling; + and -: decidedly faster or slower (95%). passes: "
         "forward\npasses per batch that only measure. time: seconds per step, relative to "
         "uniform sampling.\n";
}

}  // namespace gradus::cli
