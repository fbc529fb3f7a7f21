// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/loss_text.h"
#include "cli/numbers.h"
#include "cli/run_summary.h"
#include "cli/table.h"

namespace gradus::cli {
namespace {

struct RunsOptions {
  std::string folder = "runs";
  bool json = false;
};

Row row_of(const FoundRun& found) {
  const RunRecord& run = found.run;
  if (!found.problem.empty())
    return {run.folder.string(), "", found.status(), "", "", found.problem};
  const double left = found.seconds_left();
  const std::string loss =
      run.metrics.empty() ? "" : loss_text(run.metrics.back(), loss_unit(run.units, run.target));
  return {run.folder.string(),
          what(run),
          found.status(),
          how_far(found),
          std::isnan(left) ? "" : clock_time(left) + " left",
          loss,
          start_time(run)};
}

void print_runs(const RunsOptions& options) {
  const std::vector<FoundRun> runs = scan_runs(options.folder);
  if (options.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const FoundRun& found : runs) list.push_back(summary_json(found));
    fmt::print("{}\n", list.dump(2));
    return;
  }
  if (runs.empty()) return fmt::print(stderr, "{}: contains no runs\n", options.folder);
  std::vector<Row> rows = {{"run", "what", "status", "how far", "", "how well", "started (UTC)"}};
  for (const FoundRun& found : runs) rows.push_back(row_of(found));
  fmt::print("{}", aligned(rows));
}

}  // namespace

void add_runs(CLI::App& app) {
  auto options = std::make_shared<RunsOptions>();
  CLI::App* command =
      app.add_subcommand("runs", "List runs: what they are, how far they are and how well they do");
  command->add_option("DIR", options->folder, "folder to look below for runs and records")
      ->check(valid_name())
      ->capture_default_str();
  add_json_flag(*command, options->json);
  command->footer(
      "Steps, time left and loss are those of the last evaluation. A run that cannot be read is\n"
      "listed as broken, with the reason. gradus show RUN says more about one run.");
  command->callback([options] { print_runs(*options); });
}

}  // namespace gradus::cli
