// SPDX-License-Identifier: Apache-2.0
#include "gradus/serve/plans.h"

#include <system_error>

#include "gradus/core/error.h"
#include "gradus/runs/sweep_plan.h"

namespace gradus::serve {

namespace fs = std::filesystem;

// The plan in a folder, read again only if it has changed. Null if there is none.
const Plans::Plan* Plans::read(const fs::path& folder) {
  const fs::path file = plan_file(folder);
  std::error_code error;
  const auto written = fs::last_write_time(file, error);
  if (error || fs::is_symlink(file)) return nullptr;
  Plan& plan = plans_[folder];
  if (plan.written == written) return &plan;
  plan = {written, {}};
  try {
    for (const SweepRun& run : read_plan(folder).runs) plan.steps[run.name] = run.settings.steps;
  } catch (const InputError&) {
    // Not a plan of ours. The runs themselves are listed all the same.
  }
  return &plan;
}

std::set<fs::path> Plans::add_waiting(std::vector<NamedRun>& runs) {
  waiting_.clear();
  std::set<fs::path> started;
  std::map<fs::path, std::string> names;  // of the folders, for the page
  for (const NamedRun& run : runs) {
    started.insert(run.path);
    names[run.path.parent_path()] = fs::path(run.name).parent_path().string();
  }
  std::set<fs::path> planned;
  for (const auto& [folder, name] : names) {
    const Plan* plan = name.empty() ? nullptr : read(folder);  // nothing above the watched folders
    if (!plan) continue;
    planned.insert(folder);
    for (const auto& [run, steps] : plan->steps) {
      if (started.contains(folder / run)) continue;
      waiting_[folder / run] = steps;
      runs.push_back({folder / run, (fs::path(name) / run).string()});
    }
  }
  return planned;
}

}  // namespace gradus::serve
