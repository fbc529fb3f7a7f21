// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/run_training.h"

namespace gradus::cli {
namespace {

struct ResumeOptions {
  std::string folder;
  TrainingFlags flags;
};

void resume(const ResumeOptions& options) {
  const auto training = Training::resume(options.folder, training_options(options.flags));
  if (training->finished()) {
    fmt::print(stderr, "gradus: the run has already finished, {}\n", next_step(options.folder));
    return;
  }
  run_training(*training, options.flags.quiet);
}

}  // namespace

void add_resume(CLI::App& app) {
  auto options = std::make_shared<ResumeOptions>();
  CLI::App* command =
      app.add_subcommand("resume", "Continue a run after an interruption or a crash");
  command->add_option("DIR", options->folder, "folder of the run")->required();
  add_training_flags(*command, options->flags);
  command->footer(
      "Continues from the last undamaged checkpoint. Metrics after it are discarded and computed\n"
      "again, so that the results are bit-identical to those of a run that was never interrupted.");
  command->callback([options] { resume(*options); });
}

}  // namespace gradus::cli
