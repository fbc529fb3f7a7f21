// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/arena.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "gradus/core/error.h"
#include "gradus/gains/gains.h"
#include "gradus/report/series.h"
#include "gradus/report/statistics.h"
#include "gradus/runs/run_syllabus.h"
#include "gradus/runs/settings.h"

namespace gradus::report {
namespace {

constexpr double kLargestLoss = 0.05;  // of a safe arm, in the mean

// Position of the run's curriculum in the program's list, so that similar columns are neighbours.
int rank_of(const RunRecord& run) {
  const auto& list = curriculum_list();
  const auto found = std::ranges::find(list, setting_of(run, "curriculum"), &CurriculumEntry::name);
  return static_cast<int>(found - list.begin());
}

// Whether a setting is one of the gain or of the syllabus.
bool is_of_arm(const Setting& setting) {
  return (setting.key.starts_with("syllabus.") && setting.changes_training) ||
         is_of_gains(setting.key);
}

// The mean of the measure over the second half of each run, in place of the steps to a goal: the
// statistics of an Arm are those of any positive number.
std::vector<Reach> levels_of(const Group& group, const Measure& measure) {
  std::vector<Reach> levels;
  for (const RunRecord* run : group.runs) {
    const Series series = series_of(*run, measure.value);
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < series.steps.size(); ++i) {
      if (2 * series.steps[i] < last_steps(*run)) continue;
      sum += series.values[i];
      ++count;
    }
    if (count > 0) levels.push_back({sum / count, true});
  }
  return levels;
}

// Median over the runs of a group of the seconds per input step.
double seconds_per_step(const Group& group) {
  std::vector<double> values;
  for (const RunRecord* run : group.runs) {
    if (run->timing.empty() || run->timing.back().steps == 0) continue;
    values.push_back(run->timing.back().seconds / static_cast<double>(run->timing.back().steps));
  }
  return quartiles(values).median;
}

const Group* baseline_of(const Report& report) {
  for (const Group& group : report.grouping.groups) {
    if (group.gain == kUniformBaseline) return &group;
  }
  return nullptr;
}

// For tasks that nothing solves: instead of a speed-up, how many times lower than the baseline's
// the loss is in the second half of the runs.
void compare_levels(Report& report) {
  const Group* baseline = baseline_of(report);
  report.goal.threshold.reset();
  report.goal.origin = "mean over the second half of the run";
  for (std::size_t i = 0; i < report.table.size(); ++i) {
    const Group& group = report.grouping.groups[i];
    if (!baseline || &group == baseline) continue;
    const std::vector<Reach> levels = levels_of(group, report.goal.measure);
    report.table[i].reached = static_cast<int>(levels.size());
    report.table[i].speed_up =
        speed_up(Arm(levels_of(*baseline, report.goal.measure)), Arm(levels));
  }
}

// Forward passes that only measure. A backward pass costs as much as two.
double passes_of(const std::string& gain) {
  if (is_baseline(gain)) return 0;
  const Needs needs = make_gain(gain)->needs();
  const int on_probe = (needs.probe == Probe::kNone ? 0 : 1) + (needs.probe_after ? 1 : 0) +
                       (needs.probe_dot_gradient ? 2 : 0);
  return (needs.loss_after ? 1 : 0) + static_cast<double>(on_probe) / needs.probe_divisor;
}

// A row with empty cells for each arm but the baseline.
std::map<std::string, ArenaRow> rows_of(const std::vector<Report>& reports) {
  std::map<std::string, ArenaRow> rows;
  for (const Report& report : reports) {
    for (const Group& group : report.grouping.groups) {
      if (group.gain == kUniformBaseline) continue;
      const std::string arm = arm_name(*group.runs.front());
      rows[arm] = {arm,
                   group.gain,
                   std::vector<const Comparison*>(reports.size(), nullptr),
                   {},
                   passes_of(group.gain)};
    }
  }
  return rows;
}

std::optional<double> ratio_of(const Comparison* cell) {
  return cell && cell->speed_up ? cell->speed_up->ratio : std::nullopt;
}

// Adds the cells of one column, and the log of each arm's relative time to `times`.
void add_column(const Report& report, std::size_t column, std::map<std::string, ArenaRow>& rows,
                std::map<std::string, std::vector<double>>& times) {
  const Group* baseline = baseline_of(report);
  for (std::size_t i = 0; i < report.table.size(); ++i) {
    const Group& group = report.grouping.groups[i];
    const auto row = rows.find(arm_name(*group.runs.front()));
    if (row == rows.end()) continue;
    if (row->second.cells[column]) {
      throw InputError(
          fmt::format("runs of {} on {} differ in settings other than the seed; an "
                      "arena compares only signals and policies",
                      row->first, report.title));
    }
    row->second.cells[column] = &report.table[i];
    if (baseline) {
      times[row->first].push_back(std::log(seconds_per_step(group) / seconds_per_step(*baseline)));
    }
  }
}

std::optional<std::size_t> worst_of(const ArenaRow& row) {
  std::optional<std::size_t> worst;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const auto ratio = ratio_of(row.cells[i]);
    if (ratio && (!worst || *ratio < *ratio_of(row.cells[*worst]))) worst = i;
  }
  return worst;
}

double worst_ratio(const ArenaRow& row) {
  return row.worst ? *ratio_of(row.cells[*row.worst]) : -1;
}

std::string finding_of(const Arena& arena) {
  if (arena.rows.empty()) return "Nothing can be concluded yet: there is nothing to compare with.";
  std::string safe;
  for (const ArenaRow& row : arena.rows) {
    if (row.is_safe()) safe += (safe.empty() ? "" : ", ") + row.arm;
  }
  const std::size_t columns = arena.columns.size();
  if (!safe.empty()) {
    return fmt::format("Not slower than uniform sampling in any of {} columns: {}.", columns, safe);
  }
  // Rows are sorted by their worst case. An arm that fits only some columns may not have met it.
  const auto found = std::ranges::find_if(arena.rows, [](const ArenaRow& row) {
    return std::ranges::all_of(row.cells,
                               [](const Comparison* cell) { return ratio_of(cell).has_value(); });
  });
  if (found == arena.rows.end()) {
    return "Nothing can be concluded yet: no arm has a speed-up in every column.";
  }
  const ArenaRow& best = *found;
  return fmt::format(
      "No arm is known to keep up with uniform sampling in all {} columns; the best worst case is "
      "{}, {:.3g} on {}.",
      columns, best.arm, worst_ratio(best), arena.columns[*best.worst]);
}

}  // namespace

std::string column_of(const std::map<std::string, std::string>& settings) {
  const auto curriculum = settings.find("curriculum");
  if (curriculum == settings.end()) return "";
  const auto& list = curriculum_list();
  const auto entry = std::ranges::find(list, curriculum->second, &CurriculumEntry::name);
  const auto variant = settings.find(entry == list.end() ? "" : entry->variants);
  return variant == settings.end() ? curriculum->second : variant->second;
}

Verdict verdict_of(const SpeedUp& speed_up) {
  if (speed_up.interval) {
    if (speed_up.interval->low > 1) return Verdict::kFaster;
    if (speed_up.interval->high < 1) return Verdict::kSlower;
    return Verdict::kOpen;
  }
  if (speed_up.bound == Bound::kAtLeast && *speed_up.ratio > 1) return Verdict::kFaster;
  if (speed_up.bound == Bound::kAtMost && *speed_up.ratio < 1) return Verdict::kSlower;
  return Verdict::kOpen;
}

bool ArenaRow::is_safe() const {
  return std::ranges::all_of(cells, [](const Comparison* cell) {
    const auto ratio = ratio_of(cell);
    return ratio && *ratio >= 1 - kLargestLoss && verdict_of(*cell->speed_up) != Verdict::kSlower;
  });
}

std::string arm_name(const RunRecord& run) {
  std::string gain = setting_of(run, "gain");
  if (is_baseline(gain)) return gain;
  std::string name = gain + "+" + setting_of(run, "policy");
  RunSettings defaults;
  for (const Setting& setting : settings_of(defaults)) {
    if (!is_of_arm(setting)) continue;
    const std::string usual = plain_text(setting);
    const std::string value = setting_of(run, setting.key, usual);
    if (value != usual) name += "," + setting.key + "=" + value;
  }
  return name;
}

Arena make_arena(std::vector<RunRecord> runs, const std::string& command) {
  std::map<std::pair<int, std::string>, std::vector<RunRecord>> by_column;
  for (RunRecord& run : runs) {
    by_column[{rank_of(run), column_of(run.settings)}].push_back(std::move(run));
  }
  Arena arena;
  arena.command = command;
  for (auto& [rank_and_column, of_column] : by_column) {
    arena.columns.push_back(rank_and_column.second);
    ReportOptions options;
    options.title = arena.columns.back();
    // At small sizes, losses tell runs apart better than the number of tasks completed does.
    options.measure = of_column.front().target ? "target_loss" : "mean_loss";
    const bool is_solvable = of_column.front().description.is_solvable;
    Report& report = arena.reports.emplace_back(make_report(std::move(of_column), options));
    if (!is_solvable) compare_levels(report);
    const std::vector<std::string>& notes = report.grouping.notes;
    arena.notes.insert(arena.notes.end(), notes.begin(), notes.end());
  }
  std::map<std::string, ArenaRow> rows = rows_of(arena.reports);
  std::map<std::string, std::vector<double>> times;
  for (std::size_t i = 0; i < arena.reports.size(); ++i) {
    add_column(arena.reports[i], i, rows, times);
  }
  for (auto& [arm, row] : rows) {
    row.worst = worst_of(row);
    row.relative_time = std::exp(spread(times[arm]).mean);
    arena.rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(arena.rows, std::greater(), worst_ratio);
  arena.finding = finding_of(arena);
  return arena;
}

}  // namespace gradus::report
