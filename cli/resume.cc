// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/next_step.h"
#include "cli/run_sweep.h"
#include "gradus/core/error.h"
#include "gradus/runs/sweep_plan.h"

namespace gradus::cli {
namespace {

struct ResumeOptions {
  std::string folder;
  std::vector<std::string> changes;
  bool restart = false;
  TrainingFlags flags;
};

// Whether the folder is that of a sweep, and not of a run.
bool is_sweep(const std::filesystem::path& folder) {
  return !std::filesystem::exists(config_file(folder)) &&
         std::filesystem::exists(plan_file(folder));
}

void resume_sweep(const ResumeOptions& options) {
  if (options.restart || !options.changes.empty()) {
    throw InputError(options.folder +
                     ": is a sweep; only its runs can be changed or started over, one by one");
  }
  const SweepPlan plan = read_plan(options.folder);
  SweepFlags flags;
  flags.results = plan.results;
  flags.training = options.flags;
  run_sweep(plan.runs, options.folder, flags);
}

void resume(const ResumeOptions& options) {
  if (is_sweep(options.folder)) return resume_sweep(options);
  const TrainingOptions training_flags = training_options(options.flags);
  const auto training = options.restart
                            ? Training::restart(options.folder, training_flags, options.changes)
                            : Training::resume(options.folder, training_flags, options.changes);
  if (training->finished()) {
    fmt::print(stderr, "gradus: the run has already finished, {}\n", next_step(options.folder));
    return;
  }
  run_training(*training, options.flags.quiet);
}

}  // namespace

void add_resume(CLI::App& app) {
  auto options = std::make_shared<ResumeOptions>();
  CLI::App* command = app.add_subcommand(
      "resume", "Continue a run or a sweep after an interruption, or train a run longer");
  command->add_option("RUN", options->folder, "folder of the run or of the sweep")
      ->check(valid_name())
      ->required();
  command->add_option("changes", options->changes,
                      "key=value: steps=N trains longer; device, checkpoint.seconds and the paths "
                      "of data may change too");
  command->add_flag("--restart", options->restart,
                    "start over: remove the run's checkpoints, metrics and rewards first");
  add_training_flags(*command, options->flags);
  command->footer(
      "Continues from the last undamaged checkpoint. Metrics after it are discarded and computed\n"
      "again, so that the results are bit-identical to those of a run that was never interrupted,\n"
      "or that had more steps from the start. An automatic syllabus.eta stays as it was chosen "
      "for\n"
      "the first number of steps. Refuses to continue if checkpoints or metrics are lost.");
  command->callback([options] { resume(*options); });
}

}  // namespace gradus::cli
