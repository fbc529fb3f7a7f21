// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>

#include "cli/config_arguments.h"
#include "cli/next_step.h"
#include "cli/run_sweep.h"
#include "cli/slurm.h"
#include "cli/sweep_status.h"
#include "gradus/core/error.h"
#include "gradus/nn/device.h"
#include "gradus/runs/sweep_plan.h"

namespace gradus::cli {
namespace {

namespace fs = std::filesystem;

struct SweepOptions {
  std::vector<std::string> arguments;
  std::string out;
  SweepFlags flags;
  bool worker = false;
  bool status = false;
  std::string slurm;  // options for sbatch; "true" if there are none, empty without the flag
  bool print = false;
  int elements = 0;
};

// The folder of a sweep that exists, instead of a config.
std::string sweep_folder(const SweepOptions& options) {
  if (options.arguments.size() != 1 || !options.out.empty()) {
    throw InputError("--worker and --status need the folder of a sweep and nothing else");
  }
  return options.arguments.front();
}

// A worker may use other GPUs than the other workers, but not another kind of device.
void choose_gpus(const std::string& device, std::vector<SweepRun>& runs) {
  const std::string kind = parse_device(device).kind();
  for (SweepRun& run : runs) {
    const std::string planned = parse_device(run.settings.device).kind();
    if (kind != planned) {
      throw InputError("--device is \"" + device + "\", but the sweep trains on \"" + planned +
                       "\"; a worker can only choose the GPUs");
    }
    run.settings.device = device;
  }
}

void work(const SweepOptions& options) {
  const std::string folder = sweep_folder(options);
  SweepPlan plan = read_plan(folder);
  SweepFlags flags = options.flags;
  if (flags.results.empty()) flags.results = plan.results;
  if (!flags.device.empty()) choose_gpus(flags.device, plan.runs);
  run_sweep(plan.runs, folder, flags);
}

// The command of one element of the job array.
std::vector<std::string> worker_command(const SweepOptions& options, const fs::path& folder) {
  const SweepFlags& flags = options.flags;
  std::vector<std::string> command = {fs::read_symlink("/proc/self/exe").string(), "sweep",
                                      folder.string(), "--worker"};
  if (flags.jobs > 0) command.push_back(fmt::format("--jobs={}", flags.jobs));
  command.push_back(fmt::format("--threads={}", flags.training.threads));
  command.push_back(fmt::format("--lease={}", flags.lease));
  return command;
}

void submit_sweep(const std::vector<SweepRun>& runs, const SweepOptions& options) {
  const fs::path folder = fs::absolute(options.out).lexically_normal();
  const std::vector<SweepRun> missing = missing_runs(runs, folder);
  if (missing.empty()) return fmt::print(stderr, "no run is missing: nothing to train\n");
  const int at_once = options.flags.jobs > 0 ? options.flags.jobs : default_jobs_of_element(runs);
  const int enough = (static_cast<int>(missing.size()) + at_once - 1) / at_once;
  const SlurmJob job = {"gradus-" + folder.filename().string(), folder / "slurm",
                        worker_command(options, folder),
                        options.slurm == "true" ? "" : options.slurm,
                        options.elements > 0 ? options.elements : enough};
  fs::create_directories(job.folder);
  write_plan(plan_of(runs, options.flags.results), folder);
  if (options.print) return fmt::print("{}", job_script(job));
  for (const std::string& line : submit(job)) fmt::print("{}\n", line);
  fmt::print("next: gradus sweep --status {}\n", quoted(options.out));
}

void sweep(const SweepOptions& options) {
  if (options.status) return print_status(sweep_folder(options), options.flags.json);
  if (options.worker) return work(options);
  const ConfigArguments arguments = sort_arguments(options.arguments);
  if (arguments.file.empty()) {
    throw InputError("sweep needs a config file with a [sweep] table before any key=value");
  }
  if (options.out.empty()) throw InputError("--out is required: the folder for the runs");
  const auto runs = load_sweep(arguments.file, all_overrides(arguments.overrides, options.flags));
  if (!options.slurm.empty()) return submit_sweep(runs, options);
  run_sweep(runs, options.out, options.flags);
  if (options.flags.dry_run || options.flags.training.quiet) return;
  const std::string& records = options.flags.results;
  fmt::print(stderr, "{}\n", next_step(records.empty() ? options.out : records));
}

void add_cluster_flags(CLI::App& command, SweepOptions& options) {
  command.add_flag("--status", options.status,
                   "show every run of the sweep in the folder: state, host, and why it failed");
  command.add_flag("--worker", options.worker,
                   "train runs of the sweep in the folder until none is left; any number of "
                   "workers on any hosts share them");
  command.add_flag("--slurm", options.slurm,
                   "submit a job array of workers; --slurm='-p gpu --time=4:00:00' passes options "
                   "to sbatch");
  command
      .add_flag("--print", options.print,
                "with --slurm: print the job script instead of submitting it")
      ->needs("--slurm");
  command
      .add_option("--elements", options.elements,
                  "with --slurm: elements of the array; default: enough to train all runs at once")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000))
      ->needs("--slurm");
}

}  // namespace

void add_sweep(CLI::App& app) {
  auto options = std::make_shared<SweepOptions>();
  CLI::App* command = app.add_subcommand(
      "sweep", "Train every combination of the settings in a config's [sweep] table");
  command
      ->add_option("arguments", options->arguments,
                   "a TOML file with a [sweep] table, then any number of key=value; or the folder "
                   "of a sweep with --worker or --status")
      ->required();
  command->add_option("--out", options->out, "folder for the runs, one subfolder per run")
      ->type_name("DIR")
      ->check(valid_name());
  add_sweep_flags(*command, options->flags);
  add_json_flag(*command, options->flags.json);
  add_cluster_flags(*command, *options);
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
      "others. Several processes may do the same sweep at once, each run in one of them; see\n"
      "docs/cluster.md. gradus train --help lists the settings.");
  command->callback([options] { sweep(*options); });
}

}  // namespace gradus::cli
