// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/finding.h"

#include <algorithm>

#include <fmt/format.h>

#include "gradus/core/text.h"

namespace gradus::report {
namespace {

struct Clause {
  std::string text;
  bool decided = false;
  double order = 0;  // the fastest first, those without a ratio last
};

std::string goal_text(const Goal& goal) {
  std::string measure = goal.measure.name;
  std::ranges::replace(measure, '_', ' ');
  return goal.measure.rising ? fmt::format("To {:.4g} {}", *goal.threshold, measure)
                             : fmt::format("To a {} of {:.4g}", measure, *goal.threshold);
}

std::string seeds_text(int runs, int baseline_runs) {
  if (runs == baseline_runs) return fmt::format("{} seeds each", runs);
  return fmt::format("{} and {} seeds", runs, baseline_runs);
}

Clause compared(const std::string& name, const Comparison& row, int baseline_runs) {
  const SpeedUp& speed_up = *row.speed_up;
  if (!speed_up.interval) return {fmt::format("{}: {}", name, speed_up.remark)};
  const auto [low, high] = *speed_up.interval;
  const std::string interval =
      fmt::format("(95%: {:.3g} to {:.3g}; {})", low, high, seeds_text(row.runs, baseline_runs));
  const bool decided = low > 1 || high < 1;
  const std::string words = decided ? fmt::format("is {:.3g} times as fast as", *speed_up.ratio)
                                    : "is not distinguishable from";
  return {fmt::format("{} {} {} {}", name, words, row.baseline, interval), decided,
          *speed_up.ratio};
}

std::vector<Clause> clauses_of(const std::vector<Group>& groups,
                               const std::vector<Comparison>& rows) {
  std::vector<Clause> clauses;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Comparison& row = rows[i];
    if (row.baseline == groups[i].name) continue;
    if (row.reached == 0) {
      clauses.push_back(
          {fmt::format("{} does not reach it in {} of {:.4g} million steps", groups[i].name,
                       count_text(row.runs, "run"), row.steps.mean / 1e6)});
    } else if (row.speed_up) {
      const auto other = std::ranges::find(groups, row.baseline, &Group::name);
      clauses.push_back(compared(groups[i].name, row, rows[other - groups.begin()].runs));
    }
  }
  std::ranges::stable_sort(clauses, std::greater(), &Clause::order);
  return clauses;
}

}  // namespace

std::string finding(const std::vector<Group>& groups, const std::vector<Comparison>& rows,
                    const Goal& goal) {
  const std::string nothing = "Nothing can be concluded yet";
  if (!goal.threshold) return nothing + ": there is no goal to compare by.";
  const std::vector<Clause> clauses = clauses_of(groups, rows);
  if (clauses.empty()) return nothing + ": there is nothing to compare with.";
  std::string text;
  for (const Clause& clause : clauses) text += (text.empty() ? "" : "; ") + clause.text;
  const bool decided = std::ranges::any_of(clauses, &Clause::decided);
  return fmt::format("{}{}, {}.", decided ? "" : nothing + ". ", goal_text(goal), text);
}

}  // namespace gradus::report
