// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_status.h"

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "cli/loss_text.h"
#include "cli/numbers.h"
#include "cli/run_summary.h"
#include "cli/table.h"
#include "gradus/runs/sweep_plan.h"
#include "gradus/runs/training.h"

namespace gradus::cli {
namespace {

namespace fs = std::filesystem;

// A process that starts a run writes the config first, and the database a moment later.
bool has_started(const fs::path& folder) {
  return fs::exists(config_file(folder)) &&
         (fs::exists(database_file(folder)) || !RunLock::is_held(folder));
}

Row row_of(const std::string& name, const fs::path& folder) {
  if (!has_started(folder)) return {name, "waiting", "", "", "", "", ""};
  const FoundRun found = read_found(folder);
  const RunRecord& run = found.run;
  const double left = found.seconds_left();
  return {
      name,
      found.status(),
      found.problem.empty() ? how_far(found) : "",
      std::isnan(left) ? "" : clock_time(left) + " left",
      run.metrics.empty() ? "" : loss_text(run.metrics.back(), loss_unit(run.units, run.target)),
      found.host(),
      found.reason()};
}

nlohmann::ordered_json json_of(const std::string& name, const fs::path& folder) {
  nlohmann::ordered_json run = {{"name", name}, {"status", "waiting"}};
  if (!has_started(folder)) return run;
  const FoundRun found = read_found(folder);
  run["status"] = found.status();
  run["host"] = found.host();
  run["reason"] = found.reason();
  run["summary"] = summary_json(found);
  return run;
}

}  // namespace

std::vector<SweepRun> missing_runs(const std::vector<SweepRun>& runs, const fs::path& folder) {
  std::vector<SweepRun> missing = runs;
  std::erase_if(missing, [&](const SweepRun& run) { return is_finished(folder / run.name); });
  return missing;
}

void print_status(const fs::path& folder, bool json) {
  const SweepPlan plan = read_plan(folder);
  if (json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const SweepRun& run : plan.runs) list.push_back(json_of(run.name, folder / run.name));
    return fmt::print("{}\n", list.dump(2));
  }
  std::vector<Row> rows = {{"run", "status", "how far", "", "how well", "host", "reason"}};
  std::map<std::string, int> counts;
  for (const SweepRun& run : plan.runs) {
    rows.push_back(row_of(run.name, folder / run.name));
    ++counts[rows.back()[1]];
  }
  std::string summary;
  for (const auto& [state, count] : counts) {
    summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", count, state);
  }
  fmt::print("{}{}\n", aligned(rows), summary);
}

}  // namespace gradus::cli
