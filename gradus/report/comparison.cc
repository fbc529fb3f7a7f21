// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/comparison.h"

#include <algorithm>
#include <cmath>

#include "gradus/core/error.h"
#include "gradus/report/series.h"
#include "gradus/runs/run_syllabus.h"

namespace gradus::report {
namespace {

bool is_measured(std::span<const Group> groups, const Measure& measure) {
  for (const Group& group : groups) {
    for (const RunRecord* run : group.runs) {
      if (!series_of(*run, measure.value).values.empty()) return true;
    }
  }
  return false;
}

const RunRecord& first_run(std::span<const Group> groups) {
  return *groups.front().runs.front();
}

const Measure& default_measure(const RunRecord& run) {
  if (!run.description.measure.empty()) return find_measure(run.description.measure);
  return find_measure(run.target ? "target_loss" : "mean_loss");
}

const Measure& choose_measure(std::span<const Group> groups, const std::string& name) {
  if (!name.empty()) {
    const Measure& measure = find_measure(name);
    if (!is_measured(groups, measure)) {
      throw InputError("no run has measured " + name +
                       " yet; evaluation.all_tasks=true evaluates all tasks, not only the target");
    }
    return measure;
  }
  return default_measure(first_run(groups));
}

// The worst last value among the finished runs of the baseline, or among all of its runs if none
// has finished.
std::optional<double> reached_by_baseline(std::span<const Group> groups,
                                          const std::string& baseline, const Measure& measure) {
  std::vector<double> finished;
  std::vector<double> all;
  for (const Group& group : groups) {
    if (group.gain != baseline && group.name != baseline) continue;
    for (const RunRecord* run : group.runs) {
      const Series series = series_of(*run, measure.value);
      if (series.values.empty()) continue;
      all.push_back(series.values.back());
      if (run->status == "finished") finished.push_back(series.values.back());
    }
  }
  const std::vector<double>& values = finished.empty() ? all : finished;
  if (values.empty()) return std::nullopt;
  if (!measure.rising) return *std::max_element(values.begin(), values.end());
  const double least = *std::min_element(values.begin(), values.end());
  // Every run starts with no task completed, so 0 is no threshold.
  return least > 0 ? std::optional(least) : std::nullopt;
}

std::vector<Reach> reaches_of(const Group& group, const Goal& goal) {
  std::vector<Reach> reaches;
  for (const RunRecord* run : group.runs) {
    const Series series = series_of(*run, goal.measure.value);
    const auto steps = steps_to_reach(series, *goal.threshold, goal.measure.rising);
    reaches.push_back({steps.value_or(last_steps(*run)), steps.has_value()});
  }
  return reaches;
}

void add_steps(Comparison& row, std::span<const Reach> reaches, const Arm& arm) {
  std::vector<double> steps;
  for (const Reach& reach : reaches) {
    steps.push_back(reach.steps);
    row.reached += reach.reached ? 1 : 0;
  }
  row.steps = spread(steps);
  row.typical = std::exp(arm.centre());
  row.typical_is_bound = !arm.has_estimate() && !arm.all_reached();
}

Spread last_values(const Group& group, const Measure& measure) {
  std::vector<double> values;
  for (const RunRecord* run : group.runs) {
    const Series series = series_of(*run, measure.value);
    if (!series.values.empty()) values.push_back(series.values.back());
  }
  return spread(values);
}

}  // namespace

std::string choose_baseline(std::span<const Group> groups, const std::string& asked) {
  if (asked.empty()) return kUniformBaseline;
  std::vector<std::string> names;
  for (const Group& group : groups) {
    if (asked == group.gain || asked == group.name) return asked;
    for (const std::string& name : {group.gain, group.name}) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  std::string message = "unknown baseline \"" + asked + "\"; expected one of:";
  for (const std::string& name : nearest_first(asked, names)) message += " \"" + name + "\"";
  throw InputError(message);
}

Goal choose_goal(std::span<const Group> groups, const std::string& baseline,
                 const std::string& measure, std::optional<double> threshold) {
  Goal goal{choose_measure(groups, measure), threshold, "as asked"};
  if (threshold) return goal;
  const RunRecord& run = first_run(groups);
  if (run.description.solved && goal.measure.name == default_measure(run).name) {
    goal.threshold = run.description.solved;
    goal.origin = "solved";
  } else {
    goal.threshold = reached_by_baseline(groups, baseline, goal.measure);
    goal.origin = goal.threshold ? "reached by every run of " + baseline : "";
  }
  return goal;
}

std::vector<Comparison> compare(std::span<const Group> groups, const std::string& baseline,
                                const Goal& goal) {
  std::vector<Comparison> rows;
  for (const Group& group : groups) {
    Comparison row;
    row.runs = static_cast<int>(group.runs.size());
    row.last = last_values(group, goal.measure);
    const std::vector<const Group*> others = baselines_for(group, groups, baseline);
    row.baselines = static_cast<int>(others.size());
    const Group* other = others.size() == 1 ? others.front() : nullptr;
    if (other) row.baseline = other->name;
    if (goal.threshold) {
      const std::vector<Reach> reaches = reaches_of(group, goal);
      const Arm arm(reaches);
      add_steps(row, reaches, arm);
      if (other && other != &group) row.speed_up = speed_up(Arm(reaches_of(*other, goal)), arm);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace gradus::report
