// SPDX-License-Identifier: Apache-2.0
#include "cli/show_plan.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/numbers.h"
#include "cli/output.h"
#include "cli/table.h"
#include "gradus/core/text.h"

namespace gradus::cli {
namespace {

std::string short_count(std::int64_t count) {
  return short_number(static_cast<double>(count));
}

void print_json(const DryRun& plan, const std::string& folder) {
  nlohmann::ordered_json json = {{"folder", folder},
                                 {"steps_left", plan.steps_left()},
                                 {"warnings", plan.warnings},
                                 {"runs", nlohmann::ordered_json::array()}};
  for (const DryRun::Run& run : plan.runs) {
    json["runs"].push_back({{"run", run.name},
                            {"state", run.state},
                            {"tasks", run.tasks},
                            {"steps", run.steps},
                            {"total_steps", run.total}});
  }
  fmt::print("{}\n", json.dump(2));
}

Row row_of(const DryRun::Run& run) {
  const std::string done = run.steps > 0 ? short_count(run.steps) + " of " : "";
  return {"  " + run.name, run.state, done + short_count(run.total) + " steps",
          count_text(static_cast<std::int64_t>(run.tasks), "task")};
}

}  // namespace

void show_plan(const std::vector<SweepRun>& runs, const std::filesystem::path& folder, bool json) {
  const DryRun plan = dry_run(runs, folder);
  if (json) return print_json(plan, folder.string());
  for (const std::string& warning : plan.warnings) warn(warning);
  const auto left = std::ranges::count_if(
      plan.runs, [](const DryRun::Run& run) { return run.state != "finished"; });
  fmt::print("would train {} of {}{}: {} steps\n", left, count_text(std::ssize(plan.runs), "run"),
             folder.empty() ? "" : " in " + folder.string(), short_count(plan.steps_left()));
  std::vector<Row> rows;
  for (const DryRun::Run& run : plan.runs) rows.push_back(row_of(run));
  fmt::print("{}", aligned(rows));
}

void add_dry_run_flag(CLI::App& command, bool& dry_run) {
  command.add_flag("--dry-run", dry_run, "only check the settings and print what would be trained");
}

}  // namespace gradus::cli
