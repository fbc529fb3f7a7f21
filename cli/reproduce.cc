// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/ready_sweep.h"
#include "cli/table.h"
#include "cli/write_report.h"
#include "gradus/core/error.h"
#include "gradus/curricula/curricula.h"
#include "gradus/runs/results.h"

namespace gradus::cli {
namespace {

struct ReproduceOptions : ReadySweepOptions {
  std::string experiment;
};

// The curricula of which the paper shows figures.
std::vector<std::string> experiments() {
  std::vector<std::string> names;
  for (const CurriculumEntry& entry : curriculum_list()) {
    if (!description_of(entry.name, {}).paper_figures.empty()) names.push_back(entry.name);
  }
  return names;
}

std::vector<SweepRun> runs_of(const ReproduceOptions& options) {
  find_known("experiment", options.experiment, experiments());
  return ready_runs(options.experiment, options.scale,
                    all_overrides(options.overrides, options.flags));
}

void reproduce(const ReproduceOptions& options) {
  const std::vector<SweepRun> runs = runs_of(options);
  const std::string folder = options.out.empty()
                                 ? fmt::format("runs/{}-{}", options.experiment, options.scale)
                                 : options.out;
  if (!options.flags.dry_run) {
    fmt::print(stderr, "{} runs of {} steps each, in {}\n", only(runs, options.flags.only).size(),
               runs.front().settings.steps, folder);
  }
  train_and_write(runs, folder, options, [&](const std::string& results) {
    ReportRequest request;
    request.folders = {results};
    request.out = folder + "/report.html";
    request.json = options.json;
    write_report(request);
  });
}

}  // namespace

void add_reproduce(CLI::App& app) {
  auto options = std::make_shared<ReproduceOptions>();
  CLI::App* command =
      app.add_subcommand("reproduce", "Run one of the paper's experiments and write its report");
  command
      ->add_option("EXPERIMENT", options->experiment,
                   fmt::format("{}", fmt::join(experiments(), ", ")))
      ->required();
  add_ready_sweep_options(
      *command, *options,
      "\"demo\": minutes on two cores; \"paper\": every signal, ten seeds, full size",
      "runs/EXPERIMENT-SCALE");
  command->footer(
      "Uses the configs in configs/demo and configs/paper. If run again, it continues the runs "
      "that\n"
      "have not finished. It writes report.html in the folder at the end. With --results it "
      "trains\n"
      "only runs that have no record yet, from any machine, and the report shows all runs that "
      "have\n"
      "a record:\n\n"
      "  gradus reproduce repeat-copy --scale paper --device cuda --results results/repeat-copy "
      "\\\n"
      "    --only gain=pg,spg --next 16");
  command->callback([options] { reproduce(*options); });
}

}  // namespace gradus::cli
