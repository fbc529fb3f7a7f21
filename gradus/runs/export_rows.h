#pragma once

#include <vector>

#include "gradus/runs/run_record.h"

namespace gradus {

/// What a run has stored of one evaluation.
struct ExportRow {
  const Metrics* metrics;
  Timing timing;
  const TaskMetrics* tasks;  ///< null where there are none
};

/// The evaluations of a run by steps; they refer to it.
std::vector<ExportRow> export_rows(const RunRecord& run);

}  // namespace gradus
