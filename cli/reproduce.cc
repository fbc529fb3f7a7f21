// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/ready_sweep.h"
#include "cli/table.h"
#include "cli/write_report.h"
#include "gradus/core/error.h"
#include "gradus/curricula/curricula.h"
#include "gradus/runs/find_runs.h"
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

bool is_all(const ReproduceOptions& options) {
  return options.experiment == "all";
}

// Spreads each experiment evenly over the list, so that all of them end at about the same time and
// --next takes runs of each. Names begin with that of the experiment.
std::vector<SweepRun> runs_of_all(const ReproduceOptions& options,
                                  const std::vector<std::string>& overrides) {
  std::vector<std::pair<double, SweepRun>> places;
  for (const std::string& experiment : experiments()) {
    std::vector<SweepRun> runs = ready_runs(experiment, options.scale, overrides);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      runs[i].name = experiment + "/" + runs[i].name;
      const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(runs.size());
      places.emplace_back(place, std::move(runs[i]));
    }
  }
  std::ranges::stable_sort(places, {}, &std::pair<double, SweepRun>::first);
  std::vector<SweepRun> runs;
  for (auto& [place, run] : places) runs.push_back(std::move(run));
  return runs;
}

std::vector<SweepRun> runs_of(const ReproduceOptions& options) {
  std::vector<std::string> known = experiments();
  known.emplace_back("all");
  find_known("experiment", options.experiment, known);
  const std::vector<std::string> overrides = all_overrides(options.overrides, options.flags);
  return is_all(options) ? runs_of_all(options, overrides)
                         : ready_runs(options.experiment, options.scale, overrides);
}

void report_on(const std::string& results, const std::string& folder, bool json) {
  ReportRequest request;
  request.folders = {results};
  request.out = folder + "/report.html";
  request.json = json;
  write_report(request);
}

// One report per experiment of which there are runs.
void report_on_all(const std::string& results, const std::string& folder) {
  for (const std::string& experiment : experiments()) {
    const std::string runs = results + "/" + experiment;
    if (!std::filesystem::exists(runs) || find_runs(runs).empty()) continue;
    std::filesystem::create_directories(folder + "/" + experiment);
    fmt::print("{}\n", experiment);
    report_on(runs, folder + "/" + experiment, false);
  }
}

void reproduce(const ReproduceOptions& options) {
  if (is_all(options) && options.json) {
    throw InputError("--json prints one table; name one experiment instead of \"all\"");
  }
  const std::vector<SweepRun> runs = runs_of(options);
  const std::string folder = options.out.empty()
                                 ? fmt::format("runs/{}-{}", options.experiment, options.scale)
                                 : options.out;
  if (!options.flags.dry_run) {
    const std::int64_t steps = runs.front().settings.steps;
    fmt::print(stderr, "{} runs{}, in {}\n", only(runs, options.flags.only).size(),
               is_all(options) ? "" : fmt::format(" of {} steps each", steps), folder);
  }
  train_and_write(runs, folder, options, [&](const std::string& results) {
    if (is_all(options)) return report_on_all(results, folder);
    report_on(results, folder, options.json);
  });
}

}  // namespace

void add_reproduce(CLI::App& app) {
  auto options = std::make_shared<ReproduceOptions>();
  CLI::App* command =
      app.add_subcommand("reproduce", "Run the paper's experiments and write their reports");
  command
      ->add_option("EXPERIMENT", options->experiment,
                   fmt::format("{}, or all", fmt::join(experiments(), ", ")))
      ->required();
  add_ready_sweep_options(
      *command, *options,
      "\"demo\": minutes on two cores; \"paper\": every signal, ten seeds, full size",
      "runs/EXPERIMENT-SCALE");
  command->footer(
      "Uses the configs in configs/demo and configs/paper. If run again, it continues the runs\n"
      "that have not finished. It writes report.html in the folder at the end. With --results it\n"
      "trains only runs that have no record yet, from any machine, and the report shows all runs\n"
      "that have a record:\n\n"
      "  gradus reproduce repeat-copy --scale paper --device cuda --results results/repeat-copy "
      "\\\n"
      "    --only gain=pg,spg --next 16\n\n"
      "\"all\" trains the runs of all experiments as one sweep, so that the GPU waits for the "
      "last\n"
      "runs once instead of three times. Each experiment has a subfolder for its runs and report,\n"
      "and one for its records.");
  command->callback([options] { reproduce(*options); });
}

}  // namespace gradus::cli
