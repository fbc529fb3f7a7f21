// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "gradus/runs/run_record.h"

namespace gradus {

/// Writes a run as tables for other programs. docs/runs.md lists the columns. A value that does not
/// apply is an empty field in CSV, null in JSON and absent in TensorBoard.

/// One row per evaluation: metrics and timing.
void write_metrics_csv(const RunRecord& run, std::ostream& out);
/// One row per task and evaluation.
void write_tasks_csv(const RunRecord& run, std::ostream& out);

/// One JSON object per line. The first has type "run" (facts, settings and tasks). Each of the
/// others has type "metrics": one evaluation, with lists of policy, loss and error by task.
void write_jsonl(const RunRecord& run, std::ostream& out);

/// A TensorBoard event file: one scalar per metric, and policy/TASK, loss/TASK and error/TASK. The
/// step is the number of input steps. The wall time is the run's start plus the seconds spent
/// training.
void write_tensorboard(const RunRecord& run, std::ostream& out);

}  // namespace gradus
