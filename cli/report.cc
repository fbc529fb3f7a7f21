#include <memory>

#include "cli/commands.h"
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
                   "folders of runs, or of sweeps; runs may still be going on")
      ->required()
      ->type_name("DIR...");
  command->add_option("-o,--out", options->out, "the file to write")
      ->type_name("FILE")
      ->capture_default_str();
  command->add_option("--title", options->options.title, "heading; by default the curriculum");
  command->add_option("--measure", options->options.measure,
                      "what runs are compared by: target_loss, mean_loss, tasks_completed, ...; by "
                      "default the target's loss if there is a target");
  command->add_option("--threshold", options->options.threshold,
                      "value of the measure to reach, in the unit of the table; by default 0.1 "
                      "nats for repeat copy, or else what every run of the baseline has come to");
  command->add_option("--baseline", options->options.baseline,
                      "signal to compare the others with, or a group as the table names it; by "
                      "default uniform");
  command->footer(
      "Runs are grouped by signal, and by whatever else they differ in besides the seed. The file\n"
      "needs no network and nothing beside it. docs/report.md says how each number is computed.");
  command->callback([options] { write_report(*options); });
}

}  // namespace gradus::cli
