// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>

#include "cli/ready_configs.h"
#include "cli/run_sweep.h"
#include "cli/table.h"
#include "cli/write_report.h"
#include "gradus/core/error.h"
#include "gradus/runs/results.h"

namespace gradus::cli {
namespace {

struct ReproduceOptions {
  std::string experiment;
  std::vector<std::string> overrides;
  std::string scale = "demo";
  std::string out;
  SweepFlags flags;
  bool json = false;
};

const std::vector<std::string>& experiments() {
  static const std::vector<std::string> names = {"ngram", "repeat-copy", "babi"};
  return names;
}

std::vector<SweepRun> runs_of(const ReproduceOptions& options) {
  if (std::ranges::find(experiments(), options.experiment) == experiments().end()) {
    throw_unknown("experiment", options.experiment, experiments());
  }
  const std::string name = options.scale + "/" + options.experiment;
  const auto config = ready_configs().find(name);
  if (config == ready_configs().end()) {
    throw_unknown("scale", options.scale, std::vector<std::string>{"demo", "paper"});
  }
  return parse_sweep(config->second, "configs/" + name + ".toml",
                     all_overrides(options.overrides, options.flags));
}

void reproduce(const ReproduceOptions& options) {
  const std::vector<SweepRun> runs = runs_of(options);
  const std::string folder = options.out.empty()
                                 ? fmt::format("runs/{}-{}", options.experiment, options.scale)
                                 : options.out;
  if (options.flags.dry_run) {
    SweepFlags flags = options.flags;
    flags.json = options.json;
    return run_sweep(runs, folder, flags);
  }
  fmt::print(stderr, "{} runs of {} steps each, in {}\n", only(runs, options.flags.only).size(),
             runs.front().settings.steps, folder);
  // Write the report even if some runs failed.
  std::optional<std::runtime_error> failure;
  try {
    run_sweep(runs, folder, options.flags);
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& error) {
    failure = error;
  }
  ReportRequest request;
  request.folders = {options.flags.results.empty() ? folder : options.flags.results};
  std::filesystem::create_directories(folder);
  request.out = folder + "/report.html";
  request.json = options.json;
  write_report(request);
  if (failure) throw *failure;
}

}  // namespace

void add_reproduce(CLI::App& app) {
  auto options = std::make_shared<ReproduceOptions>();
  CLI::App* command =
      app.add_subcommand("reproduce", "Run one of the paper's experiments and write its report");
  command->add_option("EXPERIMENT", options->experiment, "ngram, repeat-copy or babi")->required();
  command->add_option("overrides", options->overrides,
                      "key=value, as for gradus sweep; 'seed=[1, 2]' trains fewer seeds");
  command
      ->add_option("--scale", options->scale,
                   "\"demo\": minutes on two cores; \"paper\": every signal, ten seeds, full size")
      ->capture_default_str();
  command->add_option("--out", options->out, "folder for the runs; default: runs/EXPERIMENT-SCALE")
      ->type_name("DIR")
      ->check(valid_name());
  add_sweep_flags(*command, options->flags);
  add_json_flag(*command, options->json);
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
