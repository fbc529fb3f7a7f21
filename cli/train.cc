// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/config_arguments.h"
#include "cli/run_training.h"
#include "cli/show_plan.h"
#include "gradus/runs/training.h"

namespace gradus::cli {
namespace {

struct TrainOptions {
  std::vector<std::string> arguments;
  std::string seed;
  std::string device;
  std::string out;
  TrainingFlags flags;
  bool dry_run = false;
};

void train(const TrainOptions& options) {
  ConfigArguments arguments = sort_arguments(options.arguments);
  if (!options.seed.empty()) arguments.overrides.push_back("seed=" + options.seed);
  if (!options.device.empty()) arguments.overrides.push_back("device=" + options.device);
  const RunSettings settings = make_settings(arguments.file, arguments.overrides);
  const std::filesystem::path folder =
      options.out.empty() ? free_run_folder(settings) : std::filesystem::path(options.out);
  if (options.dry_run) return show_plan({{"", settings}}, folder, false);
  const auto training = Training::start(settings, folder, training_options(options.flags));
  if (options.out.empty() && !options.flags.quiet)
    fmt::print(stderr, "run folder: {}\n", folder.string());
  const std::string& eta = training->runner().eta_note();
  if (!eta.empty() && !options.flags.quiet) fmt::print(stderr, "{}\n", eta);
  run_training(*training, options.flags.quiet);
}

}  // namespace

void add_train(CLI::App& app) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App* command = app.add_subcommand("train", "Train a network under an automatic syllabus");
  command->add_option("arguments", options->arguments,
                      "optional TOML file of settings, then any number of key=value");
  command->add_option("--seed", options->seed, "the same as seed=N")->type_name("N");
  command
      ->add_option("--device", options->device,
                   "the same as device=NAME: cpu, cuda (the GPU with the most room) or cuda:2")
      ->type_name("NAME");
  command
      ->add_option("--out", options->out, "folder for the run; default: runs/CURRICULUM-GAIN-SEED")
      ->type_name("DIR")
      ->check(valid_name());
  add_training_flags(*command, options->flags);
  add_dry_run_flag(*command, options->dry_run);
  command->footer("");  // instead of the program's, which would follow
  command->footer(settings_help);
  command->callback([options] { train(*options); });
}

}  // namespace gradus::cli
