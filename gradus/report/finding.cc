// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/finding.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "gradus/core/text.h"

namespace gradus::report {
namespace {

enum class Outcome { kFaster, kOpen, kSlower, kUnknown, kMissed };

// What a group of runs shows, compared with its baseline.
struct Clause {
  Outcome outcome;
  std::string name;
  std::string text;
  double ratio = 0;  // the fastest first, those without a ratio last
};

// More would be a wall of numbers, which the table shows better.
constexpr std::size_t kMostInFull = 3;

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

Outcome outcome_of(const SpeedUp& speed_up) {
  if (!speed_up.interval) return Outcome::kUnknown;
  const auto [low, high] = *speed_up.interval;
  return low > 1 ? Outcome::kFaster : high < 1 ? Outcome::kSlower : Outcome::kOpen;
}

Clause compared(const std::string& name, const Comparison& row, int baseline_runs) {
  const SpeedUp& speed_up = *row.speed_up;
  const Outcome outcome = outcome_of(speed_up);
  if (outcome == Outcome::kUnknown) {
    return {outcome, name, fmt::format("{}: {}", name, speed_up.remark)};
  }
  const auto [low, high] = *speed_up.interval;
  const std::string words = outcome == Outcome::kOpen
                                ? "is not distinguishable from"
                                : fmt::format("is {:.3g} times as fast as", *speed_up.ratio);
  return {outcome, name,
          fmt::format("{} {} {} (95%: {:.3g} to {:.3g}; {})", name, words, row.baseline, low, high,
                      seeds_text(row.runs, baseline_runs)),
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
          {Outcome::kMissed, groups[i].name,
           fmt::format("{} does not reach it in {} of {:.4g} million steps", groups[i].name,
                       count_text(row.runs, "run"), row.steps.mean / 1e6)});
    } else if (row.speed_up) {
      const auto other = std::ranges::find(groups, row.baseline, &Group::name);
      clauses.push_back(compared(groups[i].name, row, rows[other - groups.begin()].runs));
    }
  }
  std::ranges::stable_sort(clauses, std::greater(), &Clause::ratio);
  return clauses;
}

std::string in_full(const std::vector<Clause>& clauses) {
  std::string text;
  for (const Clause& clause : clauses) text += (text.empty() ? "" : "; ") + clause.text;
  return text + ".";
}

// The names of the groups with each outcome.
std::string in_brief(const std::vector<Clause>& clauses) {
  const std::map<Outcome, std::string> headings = {{Outcome::kFaster, "faster than the baseline"},
                                                   {Outcome::kOpen, "not distinguishable from it"},
                                                   {Outcome::kSlower, "slower"},
                                                   {Outcome::kUnknown, "too few runs to tell"},
                                                   {Outcome::kMissed, "never there"}};
  std::string text;
  for (const auto& [outcome, heading] : headings) {
    std::string names;
    for (const Clause& clause : clauses) {
      if (clause.outcome != outcome) continue;
      names += (names.empty() ? "" : ", ") + clause.name;
      if (clause.ratio > 0) names += fmt::format(" ({:.3g} times)", clause.ratio);
    }
    if (!names.empty()) text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", heading, names);
  }
  return text + ". The table has the intervals.";
}

}  // namespace

std::string finding(const std::vector<Group>& groups, const std::vector<Comparison>& rows,
                    const Goal& goal) {
  const std::string nothing = "Nothing can be concluded yet";
  if (!goal.threshold) return nothing + ": there is no goal to compare by.";
  const std::vector<Clause> clauses = clauses_of(groups, rows);
  if (clauses.empty()) return nothing + ": there is nothing to compare with.";
  const bool decided = std::ranges::any_of(clauses, [](const Clause& clause) {
    return clause.outcome == Outcome::kFaster || clause.outcome == Outcome::kSlower;
  });
  return fmt::format("{}{}, {}", decided ? "" : nothing + ". ", goal_text(goal),
                     clauses.size() > kMostInFull ? in_brief(clauses) : in_full(clauses));
}

}  // namespace gradus::report
