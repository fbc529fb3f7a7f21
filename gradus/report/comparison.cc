#include "gradus/report/comparison.h"

#include <algorithm>
#include <cmath>

#include "gradus/core/error.h"
#include "gradus/report/series.h"

namespace gradus::report {
namespace {

constexpr double kRepeatCopySolved = 0.1;

bool is_measured(std::span<const Group> groups, const Measure& measure) {
  for (const Group& group : groups) {
    for (const RunRecord* run : group.runs) {
      if (!series_of(*run, measure.value).values.empty()) return true;
    }
  }
  return false;
}

const Measure& choose_measure(std::span<const Group> groups, const std::string& name) {
  if (!name.empty()) {
    const Measure& measure = find_measure(name);
    if (!is_measured(groups, measure)) {
      throw InputError("no run has measured " + name +
                       " yet; other tasks than the target are evaluated with "
                       "evaluation.all_tasks=true");
    }
    return measure;
  }
  const RunRecord& run = *groups.front().runs.front();
  if (run.target) return find_measure("target_loss");
  const bool babi = setting_of(run, "curriculum") == "babi";
  return find_measure(babi ? "tasks_completed" : "mean_loss");
}

// The worst last value of the runs of uniform sampling: of the finished ones, if there are any.
std::optional<double> reached_by_uniform(std::span<const Group> groups, const Measure& measure) {
  std::vector<double> finished;
  std::vector<double> all;
  for (const Group& group : groups) {
    if (group.gain != "uniform") continue;
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
  // No task completed is where every run begins, and nothing to wait for.
  return least > 0 ? std::optional(least) : std::nullopt;
}

// Steps to the threshold of each run, those that fell short with the steps that they have done.
struct Reached {
  std::vector<double> steps;
  int reached = 0;
  bool all() const { return reached == static_cast<int>(steps.size()); }
};

Reached reach(const Group& group, const Goal& goal) {
  Reached result;
  for (const RunRecord* run : group.runs) {
    const Series series = series_of(*run, goal.measure.value);
    const auto steps = steps_to_reach(series, *goal.threshold, goal.measure.rising);
    if (steps) ++result.reached;
    result.steps.push_back(steps.value_or(last_steps(*run)));
  }
  return result;
}

std::optional<SpeedUp> speed_up(const Reached& uniform, const Reached& group,
                                std::uint64_t stream) {
  const double slow = spread(uniform.steps).mean;
  const double fast = spread(group.steps).mean;
  const bool comparable = slow > 0 && fast > 0 && (uniform.all() || group.all());
  if (!comparable) return std::nullopt;
  SpeedUp result{slow / fast, Bound::kExact, std::nullopt};
  if (!uniform.all()) result.bound = Bound::kAtLeast;
  if (!group.all()) result.bound = Bound::kAtMost;
  const bool enough = uniform.steps.size() > 1 && group.steps.size() > 1;
  if (result.bound == Bound::kExact && enough) {
    result.interval = bootstrap_ratio(uniform.steps, group.steps, stream);
  }
  return result;
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

Goal choose_goal(std::span<const Group> groups, const std::string& measure,
                 std::optional<double> threshold) {
  Goal goal{choose_measure(groups, measure), threshold, "as asked"};
  if (threshold) return goal;
  const std::string curriculum = setting_of(*groups.front().runs.front(), "curriculum");
  if (curriculum == "repeat-copy" && goal.measure.name == "target_loss") {
    goal.threshold = kRepeatCopySolved;
    goal.origin = "solved";
  } else {
    goal.threshold = reached_by_uniform(groups, goal.measure);
    goal.origin = goal.threshold ? "what every run of uniform sampling came to" : "";
  }
  return goal;
}

std::vector<Comparison> compare(std::span<const Group> groups, const Goal& goal) {
  std::vector<Comparison> rows;
  for (const Group& group : groups) {
    Comparison row;
    row.runs = static_cast<int>(group.runs.size());
    row.last = last_values(group, goal.measure);
    const Group* uniform = uniform_for(group, groups);
    if (uniform) row.uniform = uniform->name;
    if (goal.threshold) {
      const Reached reached = reach(group, goal);
      row.reached = reached.reached;
      row.steps = spread(reached.steps);
      if (uniform && uniform != &group) {
        row.speed_up = speed_up(reach(*uniform, goal), reached, rows.size());
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace gradus::report
