// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gradus/report/groups.h"
#include "gradus/runs/run_record.h"

namespace gradus::report {

/// A finished run of repeat copy on a 2 x 2 grid, with target losses at the given steps.
inline RunRecord made_up_run(const std::string& gain, int seed,
                             const std::vector<std::pair<std::int64_t, double>>& losses,
                             const std::map<std::string, std::string>& settings = {}) {
  RunRecord run;
  run.folder = "runs/" + gain + "-" + std::to_string(seed);
  run.version = "0.1.0";
  run.status = "finished";
  run.settings = {{"curriculum", "repeat-copy"},
                  {"gain", gain},
                  {"objective", "ml"},
                  {"seed", std::to_string(seed)},
                  {"steps", "1000000000"}};
  for (const auto& [key, value] : settings) run.settings[key] = value;
  run.tasks = {"1,1", "1,2", "2,1", "2,2"};
  run.target = 3;
  if (run.settings["curriculum"] == "repeat-copy") {
    run.description.axes = {{"pattern length", {1, 1, 2, 2}}, {"repeats", {1, 2, 1, 2}}};
    run.description.by_task = {};
    run.description.solved = 0.1;
  }
  for (const auto& [steps, loss] : losses) {
    Metrics metrics;
    metrics.steps = steps;
    metrics.target_loss = loss;
    run.metrics.push_back(metrics);
  }
  return run;
}

/// The single group of runs that differ only in their seeds.
inline Group only_group(const std::vector<RunRecord>& runs) {
  return group_runs(runs).groups.at(0);
}

}  // namespace gradus::report
