// SPDX-License-Identifier: Apache-2.0
#include "gradus/serve/control.h"

#include <cerrno>
#include <csignal>
#include <set>
#include <system_error>

#include "gradus/core/error.h"
#include "gradus/runs/run_lock.h"
#include "gradus/runs/sweep_grid.h"
#include "gradus/runs/sweep_plan.h"
#include "gradus/runs/training.h"

namespace gradus::serve {
namespace {

namespace fs = std::filesystem;

// Checks the config as the new process will, so that a mistake is reported with its line.
bool is_sweep(const std::string& config, const std::vector<std::string>& settings) {
  if (has_sweep_table(config, "config")) {
    parse_sweep(config, "config", settings);
    return true;
  }
  parse_settings(config, "config", settings);
  return false;
}

}  // namespace

void Control::stop(const std::vector<fs::path>& runs) {
  std::set<pid_t> processes;
  for (const fs::path& run : runs) {
    if (!fs::exists(config_file(run))) continue;  // a program of the user's: it may save nothing
    if (const auto process = RunLock::holder(run)) processes.insert(*process);
  }
  if (processes.empty()) {
    throw InputError(
        "none of these runs is being trained by a process of this user on this machine");
  }
  for (const pid_t process : processes) {
    if (::kill(process, SIGTERM) != 0 && errno != ESRCH) {
      throw std::system_error(errno, std::generic_category(), "cannot stop the process");
    }
  }
}

void Control::resume(const fs::path& folder) {
  const bool known = fs::exists(config_file(folder)) || fs::exists(plan_file(folder));
  if (!known || !folders_.contain(folder)) {
    throw InputError(folder.string() + ": contains neither a run nor a sweep that can be resumed");
  }
  if (RunLock::is_held(folder)) throw RunTaken(folder, "");
  children_.start({"resume", folder.string()}, "", log_file(folder));
}

void Control::start(const std::string& config, const std::vector<std::string>& settings,
                    const std::string& name) {
  const bool sweep = is_sweep(config, settings);
  const fs::path folder = folders_.place_for(name);
  if (fs::exists(folder) && !fs::is_empty(folder)) {
    throw InputError(name + ": already exists; choose another name");
  }
  fs::create_directories(folder);
  std::vector<std::string> arguments = {sweep ? "sweep" : "train", "/dev/stdin"};
  arguments.insert(arguments.end(), settings.begin(), settings.end());
  arguments.insert(arguments.end(), {"--out", folder.string()});
  children_.start(arguments, config, log_file(folder));
}

}  // namespace gradus::serve
