// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/export_rows.h"

#include <map>

namespace gradus {

std::vector<ExportRow> export_rows(const RunRecord& run) {
  std::map<std::int64_t, Timing> timing;
  for (const Timing& time : run.timing) timing[time.steps] = time;
  std::map<std::int64_t, const TaskMetrics*> tasks;
  for (const TaskMetrics& at : run.task_metrics) tasks[at.steps] = &at;
  std::vector<ExportRow> rows;
  for (const Metrics& metrics : run.metrics) {
    rows.push_back({&metrics, timing[metrics.steps], tasks[metrics.steps]});
  }
  return rows;
}

}  // namespace gradus
