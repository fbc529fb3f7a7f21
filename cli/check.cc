// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/config_arguments.h"
#include "cli/show_plan.h"
#include "cli/table.h"
#include "gradus/core/error.h"

namespace gradus::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> arguments;
  bool json = false;
};

void check(const CheckOptions& options) {
  const ConfigArguments arguments = sort_arguments(options.arguments);
  if (arguments.file.empty()) throw InputError("check needs a config file before any key=value");
  const std::vector<SweepRun> runs = load_runs(arguments.file, arguments.overrides);
  show_plan(runs, "", options.json);
  if (!options.json) fmt::print("{}: no errors\n", arguments.file);
}

}  // namespace

void add_check(CLI::App& app) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Check a config without training");
  command
      ->add_option("arguments", options->arguments,
                   "a TOML file of settings, then any number of key=value")
      ->required();
  add_json_flag(*command, options->json);
  command->footer(
      "Checks every setting, every run of a [sweep] table, and the data, and prints how many runs\n"
      "and steps the config means. Does not check that a GPU is there.");
  command->callback([options] { check(*options); });
}

}  // namespace gradus::cli
