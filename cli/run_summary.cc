// SPDX-License-Identifier: Apache-2.0
#include "cli/run_summary.h"

#include <algorithm>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "cli/numbers.h"

namespace gradus::cli {
namespace {

using Json = nlohmann::ordered_json;

Json metrics_json(const RunRecord& run) {
  if (run.metrics.empty()) return nullptr;
  const Metrics& metrics = run.metrics.back();
  Json json = {{"steps", metrics.steps}, {"rounds", metrics.rounds}, {"refused", metrics.refused}};
  // JSON has no NaN and no infinity; the library writes null for both.
  for (const MetricField& field : metric_fields()) json[field.name] = metrics.*field.value;
  return json;
}

}  // namespace

std::string what(const RunRecord& run) {
  return fmt::format("{}, {}, seed {}", setting_of(run, "curriculum", "?"),
                     setting_of(run, "gain", "?"), setting_of(run, "seed", "?"));
}

std::string how_far(const FoundRun& found) {
  const auto steps = static_cast<double>(found.steps());
  const auto total = static_cast<double>(found.total_steps());
  if (total == 0) return short_number(steps) + " steps";
  return fmt::format("{} of {} steps ({:.0f}%)", short_number(steps), short_number(total),
                     total > 0 ? std::min(100.0, 100 * steps / total) : 0);
}

std::string start_time(const RunRecord& run) {
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::gmtime(static_cast<std::time_t>(run.started)));
}

Json summary_json(const FoundRun& found) {
  const RunRecord& run = found.run;
  if (!found.problem.empty()) {
    return {{"run", run.folder.string()}, {"status", found.status()}, {"problem", found.problem}};
  }
  return {{"run", run.folder.string()},
          {"status", found.status()},
          {"curriculum", setting_of(run, "curriculum", "?")},
          {"gain", setting_of(run, "gain", "?")},
          {"seed", setting_of(run, "seed", "?")},
          {"version", run.version},
          {"started", run.started},
          {"steps", found.steps()},
          {"total_steps", found.total_steps()},
          {"seconds", run.timing.empty() ? 0 : run.timing.back().seconds},
          {"steps_per_second", found.steps_per_second()},
          {"seconds_left", found.seconds_left()},
          {"metrics", metrics_json(run)}};
}

}  // namespace gradus::cli
