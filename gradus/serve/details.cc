// SPDX-License-Identifier: Apache-2.0
#include "gradus/serve/details.h"

#include "gradus/report/numbers.h"
#include "gradus/report/units.h"
#include "gradus/runs/record_file.h"
#include "gradus/runs/run_folder.h"
#include "gradus/runs/run_lock.h"
#include "gradus/runs/run_tables.h"

namespace gradus::serve {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using report::rounded;

constexpr std::size_t kMostLog = std::size_t{64} * 1024;

// The last evaluation, and the last one that measured every task, which may be an earlier one.
struct Now {
  RunRecord run;
  std::vector<RunEvent> events;
};

void read_tasks(Database& database, RunRecord& run) {
  constexpr const char* kLastOfAllTasks =
      "WHERE steps = (SELECT max(steps) FROM metrics WHERE mean_loss IS NOT NULL)";
  for (const char* condition : {kLastOfAllTasks, kLastEvaluation}) {
    for (TaskMetrics& row : read_task_metrics(database, condition, run)) {
      run.task_metrics.push_back(std::move(row));
    }
  }
}

Now read(const fs::path& run) {
  Now now;
  if (is_record(run)) {
    now.run = read_record(run);
    return now;
  }
  const bool held = RunLock::is_held(run);
  read_snapshot(database_file(run), [&](Database& database) {
    now = {};
    now.run.folder = run;
    read_facts(database, held, now.run);
    read_metrics(database, kLastEvaluation, now.run);
    read_tasks(database, now.run);
    now.events = read_events(database, 0);
  });
  return now;
}

Json tasks_json(RunRecord& run) {
  const LossUnit unit = loss_unit(run.units);
  report::convert_losses(run, unit);
  Json json = {{"names", run.tasks}, {"lossUnit", unit.name}, {"axes", Json::array()}};
  json["target"] = run.target ? Json(*run.target) : Json();
  for (const TaskAxis& axis : run.description.axes) {
    json["axes"].push_back({{"name", axis.name}, {"values", axis.values}});
  }
  json["noun"] = run.description.noun;
  if (run.task_metrics.empty()) return json;
  json["steps"] = run.task_metrics.back().steps;
  json["policy"] = rounded(run.task_metrics.back().policy);
  json["lossSteps"] = run.task_metrics.front().steps;
  json["loss"] = rounded(run.task_metrics.front().loss);
  json["error"] = rounded(run.task_metrics.front().error);
  return json;
}

}  // namespace

Json details_of(const fs::path& run, const Folders& folders) {
  Now now = read(run);
  std::string log = end_of_file(log_file(run), kMostLog);
  // The runs of a sweep share the log of its process.
  const fs::path shared = log_file(run.parent_path());
  if (log.empty() && folders.contain(shared)) log = end_of_file(shared, kMostLog);
  return {{"folder", run.string()},
          {"version", now.run.version},
          {"settings", now.run.settings},
          {"events", to_json(now.events)},
          {"log", log},
          {"tasks", tasks_json(now.run)}};
}

}  // namespace gradus::serve
