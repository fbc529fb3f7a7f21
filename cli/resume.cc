// SPDX-License-Identifier: Apache-2.0
#include <thread>

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

// Watches the claim of a process on another host. Returns its number once the process is known to
// be dead, or 0 if it gave a sign of life.
int wait_for_death(const std::string& folder, const ClaimNote& claim) {
  fmt::print(stderr, "gradus: process {} was working on {}; waiting {:.0f} s for a sign of life\n",
             claim.holder(), folder, claim.lease);
  ClaimWatch watch;
  while (true) {
    const std::optional<ClaimNote> now = last_claim(folder);
    if (!now || now->number != claim.number || !now->working) return claim.number;
    const ClaimWatch::Holder holder = watch.look(folder, *now);
    if (holder == ClaimWatch::Holder::kAlive) return 0;
    if (holder == ClaimWatch::Holder::kDead) return claim.number;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

std::unique_ptr<Training> open(const ResumeOptions& options, const TrainingOptions& flags) {
  return options.restart ? Training::restart(options.folder, flags, options.changes)
                         : Training::resume(options.folder, flags, options.changes);
}

std::unique_ptr<Training> open_when_free(const ResumeOptions& options) {
  TrainingOptions flags = training_options(options.flags);
  try {
    return open(options, flags);
  } catch (const RunTaken&) {
    const std::optional<ClaimNote> claim = last_claim(options.folder);
    if (!claim || claim->is_local() || !claim->working) throw;
    flags.dead_claim = wait_for_death(options.folder, *claim);
    if (flags.dead_claim == 0) throw;
  }
  return open(options, flags);
}

void resume(const ResumeOptions& options) {
  if (is_sweep(options.folder)) return resume_sweep(options);
  const auto training = open_when_free(options);
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
                      "key=value: steps=N trains longer; device, store, checkpoint.seconds and the "
                      "paths of data may change too");
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
