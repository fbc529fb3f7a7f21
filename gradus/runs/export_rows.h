// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gradus/runs/run_record.h"

namespace gradus {

/// Everything stored about one evaluation.
struct ExportRow {
  const Metrics* metrics;
  Timing timing;
  const TaskMetrics* tasks;  ///< null if none are stored
};

/// The evaluations of a run, sorted by steps. The pointers refer to `run`.
std::vector<ExportRow> export_rows(const RunRecord& run);

}  // namespace gradus
