#include "cli/config_arguments.h"
#include "cli/run_sweep.h"
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
}

}  // namespace

void add_sweep(CLI::App& app) {
  auto options = std::make_shared<SweepOptions>();
  CLI::App* command =
      app.add_subcommand("sweep", "Train every combination of settings in a config's [sweep]");
  command
      ->add_option("arguments", options->arguments,
                   "a TOML file with a [sweep] table, then any number of key=value")
      ->required();
  command->add_option("--out", options->out, "folder for the runs, a folder each")
      ->type_name("DIR")
      ->required();
  add_sweep_flags(*command, options->flags);
  command->footer(
      "A [sweep] table lists values for any settings, and every combination of them is a run:\n\n"
      "  [sweep]\n"
      "  gain = [\"pg\", \"uniform\"]\n"
      "  seed = [1, 2, 3]\n\n"
      "Several [[sweep]] tables are several such grids. A key=value of the command line takes the\n"
      "place of that key in every grid; a list is a list of values: 'seed=[1, 2]'. Started again\n"
      "with the same folder, a sweep goes on with what is not finished. A run that fails does not\n"
      "stop the others. gradus train --help lists the settings.");
  command->callback([options] { sweep(*options); });
}

}  // namespace gradus::cli
