// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/config_arguments.h"
#include "cli/next_step.h"
#include "cli/run_sweep.h"
#include "cli/table.h"
#include "gradus/core/error.h"

namespace gradus::cli {
namespace {

struct SweepOptions {
  std::vector<std::string> arguments;
  std::string out;
  SweepFlags flags;
};

void sweep(const SweepOptions& options) {
  const ConfigArguments arguments = sort_arguments(options.arguments);
  if (arguments.file.empty()) {
    throw InputError("sweep needs a config file with a [sweep] table before any key=value");
  }
  run_sweep(load_sweep(arguments.file, all_overrides(arguments.overrides, options.flags)),
            options.out, options.flags);
  if (options.flags.dry_run || options.flags.training.quiet) return;
  const std::string& records = options.flags.results;
  fmt::print(stderr, "{}\n", next_step(records.empty() ? options.out : records));
}

}  // namespace

void add_sweep(CLI::App& app) {
  auto options = std::make_shared<SweepOptions>();
  CLI::App* command = app.add_subcommand(
      "sweep", "Train every combination of the settings in a config's [sweep] table");
  command
      ->add_option("arguments", options->arguments,
                   "a TOML file with a [sweep] table, then any number of key=value")
      ->required();
  command->add_option("--out", options->out, "folder for the runs, one subfolder per run")
      ->type_name("DIR")
      ->check(valid_name())
      ->required();
  add_sweep_flags(*command, options->flags);
  add_json_flag(*command, options->flags.json);
  command->footer(
      "A [sweep] table lists values for any settings. Every combination of them is a run:\n\n"
      "  [sweep]\n"
      "  gain = [\"pg\", \"uniform\"]\n"
      "  seed = [1, 2, 3]\n\n"
      "Several [[sweep]] tables are several such grids. A key=value on the command line replaces\n"
      "that key in every grid; it may list several values: 'seed=[1, 2]'. If run again with the "
      "same\n"
      "folder, a sweep continues the runs that have not finished. A run that fails does not stop "
      "the\n"
      "others. gradus train --help lists the settings.");
  command->callback([options] { sweep(*options); });
}

}  // namespace gradus::cli
