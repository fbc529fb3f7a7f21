// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/task_views.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace gradus::report {
namespace {

constexpr std::size_t kMostRows = 40;

TaskView by_each(std::string label, bool ordered, const std::vector<std::string>& tasks) {
  TaskView view{std::move(label), ordered, false, {}};
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    view.rows.push_back({tasks[i], {static_cast<int>(i)}});
  }
  return view;
}

// One row for all tasks with the same value.
TaskView by_value(const TaskAxis& axis) {
  std::map<int, std::vector<int>> members;
  for (std::size_t i = 0; i < axis.values.size(); ++i) {
    members[axis.values[i]].push_back(static_cast<int>(i));
  }
  TaskView view{axis.name, true, true, {}};
  for (auto& [value, list] : members) view.rows.push_back({std::to_string(value), std::move(list)});
  return view;
}

std::vector<double> total_policy(std::span<const Group> groups, std::size_t tasks) {
  std::vector<double> total(tasks, 0.0);
  for (const Group& group : groups) {
    for (const RunRecord* run : group.runs) {
      for (const TaskMetrics& metrics : run->task_metrics) {
        for (std::size_t i = 0; i < std::min(tasks, metrics.policy.size()); ++i) {
          total[i] += metrics.policy[i] / static_cast<double>(run->task_metrics.size());
        }
      }
    }
  }
  return total;
}

TaskView most_probable(TaskView view, const std::vector<double>& policy) {
  std::vector<int> order(policy.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return policy[a] > policy[b]; });
  std::sort(order.begin(), order.begin() + kMostRows - 1);
  TaskView shown{view.label, view.ordered, false, {}};
  for (std::size_t i = 0; i < kMostRows - 1; ++i) shown.rows.push_back(view.rows[order[i]]);
  std::vector<int> others(order.begin() + kMostRows - 1, order.end());
  const std::string name = std::to_string(others.size()) + " other tasks";
  shown.rows.push_back({name, std::move(others)});
  return shown;
}

}  // namespace

std::vector<TaskView> task_views(std::span<const Group> groups) {
  const RunRecord& run = *groups.front().runs.front();
  const std::vector<TaskAxis>& axes = run.description.axes;
  if (axes.size() > 1) {
    std::vector<TaskView> views;
    for (const TaskAxis& axis : axes) views.push_back(by_value(axis));
    return views;
  }
  const bool ordered = axes.size() == 1;
  TaskView view = by_each(ordered ? axes[0].name : run.description.noun, ordered, run.tasks);
  if (view.rows.size() <= kMostRows) return {view};
  return {most_probable(std::move(view), total_policy(groups, run.tasks.size()))};
}

}  // namespace gradus::report
