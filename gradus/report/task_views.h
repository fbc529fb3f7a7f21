#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gradus/report/groups.h"

namespace gradus::report {

/// One curve of a figure by task: a task, or several taken together.
struct TaskRow {
  std::string name;
  std::vector<int> tasks;
};

/// The rows of one figure.
struct TaskView {
  std::string label;     ///< of the rows: "n-gram order"
  bool ordered = false;  ///< from easy to hard, so that colours can show the order
  std::vector<TaskRow> rows;
};

/// How a curriculum's tasks are drawn: repeat copy by pattern length and by repeats; others task by
/// task. Of more than 40 tasks the 39 that `groups` give the highest mean probability are drawn,
/// and the others together.
std::vector<TaskView> task_views(std::span<const Group> groups);

/// Length and repeats of the repeat-copy task "L,R"; empty where a name is of another form.
std::optional<std::pair<int, int>> length_and_repeats(const std::string& task);

}  // namespace gradus::report
