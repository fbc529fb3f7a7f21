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
    fmt::print(stderr, "gradus: the run has finished already, {}\n", next_step(options.folder));
    return;
  }
  run_training(*training, options.flags.quiet);
}

}  // namespace

void add_resume(CLI::App& app) {
  auto options = std::make_shared<ResumeOptions>();
  CLI::App* command = app.add_subcommand("resume", "Go on with a run after a stop or a crash");
  command->add_option("DIR", options->folder, "the run's folder")->required();
  add_training_flags(*command, options->flags);
  command->footer(
      "Goes on from the last whole checkpoint; metrics after it are discarded and made anew, so\n"
      "that the run ends with the same bits as one that was never stopped.");
  command->callback([options] { resume(*options); });
}

}  // namespace gradus::cli
