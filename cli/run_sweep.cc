#include "cli/run_sweep.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "cli/sweep_table.h"
#include "gradus/runs/sweep.h"

namespace gradus::cli {
namespace {

// More concurrent networks than this slow each other down on one GPU; docs/performance.md has the
// measurements.
constexpr int kJobsOfGpu = 16;

int jobs_for(const std::vector<SweepRun>& runs, const SweepFlags& flags) {
  if (flags.jobs > 0) return flags.jobs;
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int jobs = std::max(1, cores / std::max(1, flags.training.threads));
  const bool gpu =
      std::ranges::any_of(runs, [](const SweepRun& run) { return run.settings.device == "cuda"; });
  return gpu ? std::min(jobs, kJobsOfGpu) : jobs;
}

// Every run on a GPU has its own streams, and streams that share one of the driver's work queues
// wait for each other. Asks for as many queues as there can be, 32 instead of 8, unless the user
// has set the variable. Must be called before CUDA starts, which reads it, and before there are
// threads, because setenv() is not thread-safe.
void ask_for_work_queues() {
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
}

}  // namespace

void add_sweep_flags(CLI::App& command, SweepFlags& flags) {
  command
      .add_option("--jobs", flags.jobs,
                  "runs to train at a time; default: cores / threads, on a GPU at most 16")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  command.add_option("--device", flags.device, "the same as device=NAME: cpu or cuda")
      ->type_name("NAME");
  add_training_flags(command, flags.training);
}

std::vector<std::string> all_overrides(std::vector<std::string> overrides,
                                       const SweepFlags& flags) {
  if (!flags.device.empty()) overrides.push_back("device=" + flags.device);
  return overrides;
}

void run_sweep(const std::vector<SweepRun>& runs, const std::filesystem::path& folder,
               const SweepFlags& flags) {
  catch_interrupts();
  ask_for_work_queues();
  Sweep sweep(runs, folder, jobs_for(runs, flags), flags.training.threads);
  SweepTable table(flags.training.quiet);
  while (!sweep.over()) {
    if (interrupted()) sweep.stop();
    table.show(sweep.status());
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  const std::vector<RunStatus> status = sweep.status();
  table.finish(status);
  const auto finished = std::ranges::count(status, RunState::kFinished, &RunStatus::state);
  const auto failed = std::ranges::count(status, RunState::kFailed, &RunStatus::state);
  if (interrupted() && finished + failed < std::ssize(status)) {
    fmt::print(stderr, "gradus: interrupted; run the same command again to continue {}\n",
               folder.string());
    throw Interrupted();
  }
  if (failed == 0) return;
  const auto first = std::ranges::find(status, RunState::kFailed, &RunStatus::state);
  throw std::runtime_error(fmt::format("{} of {} runs failed; the first is {}: {}", failed,
                                       status.size(), first->name, first->message));
}

}  // namespace gradus::cli
