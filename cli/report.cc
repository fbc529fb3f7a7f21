// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/commands.h"
#include "cli/table.h"
#include "cli/write_report.h"

namespace gradus::cli {

bool has_report() {
  return true;
}

void add_report(CLI::App& app) {
  auto options = std::make_shared<ReportRequest>();
  CLI::App* command = app.add_subcommand(
      "report", "Compare runs: a table, and the paper's figures in one HTML file");
  command
      ->add_option("folders", options->folders,
                   "folders of runs, sweeps or records; runs may still be training")
      ->required()
      ->check(valid_name())
      ->type_name("DIR...");
  command->add_option("-o,--out", options->out, "HTML file to write")
      ->type_name("FILE")
      ->check(valid_name())
      ->capture_default_str();
  command->add_option("--title", options->options.title, "heading; default: the curriculum");
  command->add_option("--measure", options->options.measure,
                      "measure to compare runs by: target_loss, mean_loss, tasks_completed, ...; "
                      "default: target_loss if there is a target");
  command->add_option(
      "--threshold", options->options.threshold,
      "value of the measure to reach, in the unit of the table; default: what the "
      "curriculum counts as solved, or else what every run of the baseline reached");
  command->add_option("--baseline", options->options.baseline,
                      "signal or group of the table to compare the others with; default: uniform");
  add_json_flag(*command, options->json);
  command->footer(
      "Runs are grouped by signal and by every other setting in which they differ, except the "
      "seed.\n"
      "The HTML file is self-contained. docs/report.md explains how each number is computed.");
  command->callback([options] { write_report(*options); });
}

}  // namespace gradus::cli
