// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gradus/report/groups.h"

namespace gradus::report {

/// One curve of a by-task figure: one task, or several combined.
struct TaskRow {
  std::string name;
  std::vector<int> tasks;
};

/// The rows of one by-task figure.
struct TaskView {
  std::string label;      ///< what the rows are: "n-gram order"
  bool ordered = false;   ///< from easy to hard, so that colours can show the order
  bool combined = false;  ///< a row combines the tasks with the same value of an axis
  std::vector<TaskRow> rows;
};

/// How the tasks are drawn: if they form a grid, one view per axis; otherwise one row per task. If
/// there are more than 40 tasks, the 39 with the highest mean probability in `groups` have a row
/// each, and the others share one row.
std::vector<TaskView> task_views(std::span<const Group> groups);

}  // namespace gradus::report
