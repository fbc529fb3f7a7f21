// SPDX-License-Identifier: Apache-2.0
#include "cli/run_sweep.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "cli/next_step.h"
#include "cli/run_summary.h"
#include "cli/show_plan.h"
#include "cli/sweep_status.h"
#include "cli/sweep_table.h"
#include "gradus/core/error.h"
#include "gradus/core/text.h"
#include "gradus/nn/device.h"
#include "gradus/nn/gpu_pool.h"
#include "gradus/runs/find_runs.h"
#include "gradus/runs/results.h"
#include "gradus/runs/sweep.h"

namespace gradus::cli {
namespace {

std::set<std::string> cuda_devices(const std::vector<SweepRun>& runs) {
  std::set<std::string> devices;
  for (const SweepRun& run : runs) {
    const std::string& device = run.settings.device;
    if (parse_device(device).is_cuda) devices.insert(device);
  }
  return devices;
}

// The number of GPUs that the runs use. Throws InputError if one is missing. If instead each run
// threw it, all would fail one by one, and a host without GPUs would take runs from the others.
int count_gpus(const std::vector<SweepRun>& runs) {
  const GpuPool pool;
  std::set<int> gpus;
  for (const std::string& device : cuda_devices(runs)) {
    for (const int gpu : pool.candidates(device)) gpus.insert(gpu);
  }
  return static_cast<int>(gpus.size());
}

// The cores that this process may use. Slurm does not always keep a job to its own.
int usable_cores() {
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const char* allocated = std::getenv("SLURM_CPUS_ON_NODE");
  const int limit = allocated == nullptr ? 0 : std::atoi(allocated);
  return limit > 0 ? std::min(cores, limit) : cores;
}

int jobs_for(const std::vector<SweepRun>& runs, const SweepFlags& flags) {
  const int gpus = count_gpus(runs);
  if (flags.jobs > 0) return flags.jobs;
  // A Slurm job with a GPU often has a single core, which is no reason to leave the GPU idle.
  if (gpus > 0 && !this_job().empty()) return gpus * kNetworksPerGpu;
  const int jobs = std::max(1, usable_cores() / std::max(1, flags.training.threads));
  return gpus > 0 ? std::min(jobs, gpus * kNetworksPerGpu) : jobs;
}

// The runs to train. They include finished runs without a record: Sweep does not train them again,
// and RecordWriter writes their records.
std::vector<SweepRun> choose(const std::vector<SweepRun>& all, const std::filesystem::path& folder,
                             const SweepFlags& flags) {
  std::vector<SweepRun> runs = only(all, flags.only);
  if (!flags.results.empty()) {
    const RecordFolder results(flags.results);
    const auto recorded =
        std::erase_if(runs, [&](const SweepRun& run) { return results.has(run); });
    if (recorded > 0) {
      fmt::print(stderr, "{} of {} runs already have a record in {}\n", recorded,
                 recorded + runs.size(), flags.results);
    }
  } else if (flags.next > 0) {
    runs = missing_runs(runs, folder);
  }
  if (flags.next > 0 && std::ssize(runs) > flags.next) runs.resize(flags.next);
  return runs;
}

// Records the runs that have finished since the last call.
class RecordWriter {
 public:
  RecordWriter(const std::vector<SweepRun>& runs, std::filesystem::path folder,
               const std::string& results)
      : runs_(runs), folder_(std::move(folder)), results_(results), done_(runs.size(), false) {}

  void record(const std::vector<RunStatus>& status) {
    if (results_.folder().empty()) return;
    for (std::size_t i = 0; i < status.size(); ++i) {
      if (done_[i] || status[i].state != RunState::kFinished) continue;
      results_.add(runs_[i], folder_ / runs_[i].name);
      done_[i] = true;
    }
  }

 private:
  const std::vector<SweepRun>& runs_;
  std::filesystem::path folder_;
  RecordFolder results_;
  std::vector<bool> done_;
};

// Writes the plan of each sweep, unless its folder cannot be created: the runs report that.
void remember(const std::vector<SweepRun>& runs, const std::filesystem::path& folder,
              const std::filesystem::path& results) {
  std::map<std::filesystem::path, std::vector<SweepRun>> sweeps;
  for (const SweepRun& run : runs) {
    const std::filesystem::path name = run.name;
    sweeps[name.parent_path()].push_back({name.filename().string(), run.settings});
  }
  for (const auto& [subfolder, its_runs] : sweeps) {
    const auto below = [&subfolder = subfolder](const std::filesystem::path& path) {
      return path.empty() || subfolder.empty() ? path : path / subfolder;
    };
    std::error_code error;
    std::filesystem::create_directories(below(folder), error);
    if (error) return;
    write_plan(plan_of(its_runs, below(results)), below(folder));
  }
}

// Every run on a GPU has its own streams, and streams that share one of the driver's work queues
// wait for each other. Asks for the largest number of queues, 32 instead of 8, unless the user has
// set the variable. Must be called before CUDA starts, which reads the variable, and before other
// threads start, because setenv() is not thread-safe.
void ask_for_work_queues() {
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
}

void print_json(const std::vector<RunStatus>& runs, const std::filesystem::path& folder) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const RunStatus& run : runs) list.push_back(summary_json(read_found(folder / run.name)));
  fmt::print("{}\n", list.dump(2));
}

// Tells how the sweep ended. Throws Interrupted if the user stopped it before all runs had ended,
// and std::runtime_error if some failed.
void conclude(const std::vector<RunStatus>& status, const std::filesystem::path& folder,
              bool quiet) {
  const auto finished = std::ranges::count(status, RunState::kFinished, &RunStatus::state);
  const auto failed = std::ranges::count(status, RunState::kFailed, &RunStatus::state);
  if (interrupted() && finished + failed < std::ssize(status)) {
    fmt::print(stderr, "gradus: interrupted; run the same command again to continue {}\n",
               folder.string());
    throw Interrupted();
  }
  const auto elsewhere = std::ranges::count(status, RunState::kElsewhere, &RunStatus::state);
  if (elsewhere > 0 && !quiet) {
    fmt::print(stderr, "{} trained by other processes; to watch: gradus sweep --status {}\n",
               count_text(elsewhere, "run"), quoted(folder.string()));
  }
  if (failed == 0) return;
  const auto first = std::ranges::find(status, RunState::kFailed, &RunStatus::state);
  throw std::runtime_error(fmt::format("{} of {} runs failed; the first is {}: {}", failed,
                                       status.size(), first->name, first->message));
}

}  // namespace

void add_sweep_flags(CLI::App& command, SweepFlags& flags) {
  command
      .add_option("--jobs", flags.jobs,
                  "runs to train at a time; default: cores / threads, at most 16 per GPU")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  command
      .add_option("--device", flags.device,
                  "the same as device=NAME: cpu, cuda (all GPUs) or cuda:0,2 (these GPUs)")
      ->type_name("NAME");
  command
      .add_option("--only", flags.only,
                  "train only runs in which this setting has one of these values; several --only "
                  "must all hold")
      ->type_name("KEY=VALUE[,VALUE...]")
      ->allow_extra_args(false);
  command.add_option("--next", flags.next, "train only the first N of the runs that are missing")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000));
  command
      .add_option(
          "--results", flags.results,
          "folder of records: skip runs that have a record, and write one for each run that "
          "finishes")
      ->type_name("DIR")
      ->check(valid_name());
  command
      .add_option("--lease", flags.lease,
                  "seconds without a sign of life after which another process takes over a run")
      ->type_name("S")
      ->check(CLI::Range(1.0, 86400.0))
      ->capture_default_str();
  add_dry_run_flag(command, flags.dry_run);
  add_training_flags(command, flags.training);
}

SweepPlan plan_of(const std::vector<SweepRun>& runs, const std::string& results) {
  return {runs, results.empty() ? "" : std::filesystem::absolute(results).string()};
}

std::vector<std::string> all_overrides(std::vector<std::string> overrides,
                                       const SweepFlags& flags) {
  if (!flags.device.empty()) overrides.push_back("device=" + flags.device);
  return overrides;
}

int default_jobs_of_element(const std::vector<SweepRun>& runs) {
  std::size_t gpus = 0;
  for (const std::string& device : cuda_devices(runs)) {
    gpus = std::max({gpus, std::size_t{1}, parse_device(device).gpus.size()});
  }
  return std::max(1, static_cast<int>(gpus) * kNetworksPerGpu);
}

void run_sweep(const std::vector<SweepRun>& all, const std::filesystem::path& folder,
               const SweepFlags& flags) {
  const std::vector<SweepRun> runs = choose(all, folder, flags);
  if (runs.empty()) {
    fmt::print(stderr, "no run is missing: nothing to train\n");
    return;
  }
  if (flags.dry_run) return show_plan(runs, folder, flags.json);
  catch_interrupts("the current batch or evaluation of each run, and for checkpoints");
  RecordWriter writer(runs, folder, flags.results);
  ask_for_work_queues();
  Sweep sweep(
      runs, folder,
      {jobs_for(runs, flags), flags.training.threads, std::chrono::duration<double>(flags.lease)});
  remember(all, folder, flags.results);
  SweepTable table(flags.training.quiet);
  while (!sweep.over()) {
    if (interrupted()) sweep.stop();
    table.show(sweep.status());
    writer.record(sweep.status());
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  const std::vector<RunStatus> status = sweep.status();
  table.finish(status);
  if (flags.json) print_json(status, folder);
  writer.record(status);
  conclude(status, folder, flags.training.quiet);
}

}  // namespace gradus::cli
