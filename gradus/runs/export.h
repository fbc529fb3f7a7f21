#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "gradus/runs/run_record.h"

namespace gradus {

/// A run as tables that other programs read, under the names that docs/runs.md gives the columns.
/// What does not apply is an empty field in CSV, null in JSON and absent in TensorBoard.

/// One row an evaluation: metrics and timing.
void write_metrics_csv(const RunRecord& run, std::ostream& out);
/// One row a task and evaluation.
void write_tasks_csv(const RunRecord& run, std::ostream& out);

/// One JSON object a line, of type "run" (facts, settings and tasks; the first line), "metrics" (an
/// evaluation, with lists of policy, loss and error by task).
void write_jsonl(const RunRecord& run, std::ostream& out);

/// A TensorBoard event file: a scalar a metric, and policy/TASK, loss/TASK and error/TASK. The step
/// is the input step; times are those of the work, counted from the run's start.
void write_tensorboard(const RunRecord& run, std::ostream& out);

}  // namespace gradus
