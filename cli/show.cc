// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/next_step.h"
#include "cli/numbers.h"
#include "cli/run_summary.h"
#include "cli/table.h"
#include "gradus/core/error.h"
#include "gradus/runs/run_folder.h"
#include "gradus/runs/run_reader.h"
#include "gradus/runs/settings.h"

namespace gradus::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kFavourites = 5;

struct ShowOptions {
  std::string run;
  bool json = false;
};

std::vector<std::string> checkpoints_of(const fs::path& run) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(checkpoints_folder(run), error); !error && entry != end(entry);
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(".")) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

// The settings that differ from the defaults of the run's curriculum, as key = value. A run that
// another program records has settings of its own.
std::vector<std::string> own_settings(const RunRecord& run) {
  RunSettings defaults = default_settings(setting_of(run, "curriculum"));
  std::map<std::string, std::string> own = run.settings;
  std::vector<std::string> texts;
  for (const Setting& setting : settings_of(defaults)) {
    const auto stored = own.extract(setting.key);
    if (stored.empty() || stored.mapped() == plain_text(setting)) continue;
    texts.push_back(setting.key + " = " + stored.mapped());
  }
  for (const auto& [key, value] : own) texts.push_back(key + " = " + value);
  return texts;
}

Json tasks_json(const RunRecord& run) {
  Json tasks = Json::array();
  for (std::size_t i = 0; i < run.tasks.size(); ++i) {
    Json task = {{"name", run.tasks[i]}};
    if (!run.task_metrics.empty()) {
      const TaskMetrics& latest = run.task_metrics.back();
      task["policy"] = latest.policy[i];
      task["loss"] = i < latest.loss.size() ? latest.loss[i] : NAN;
      task["error"] = i < latest.error.size() ? latest.error[i] : NAN;
    }
    tasks.push_back(task);
  }
  return tasks;
}

void print_json(const FoundRun& found, const std::vector<RunEvent>& events) {
  Json json = summary_json(found);
  json["settings"] = found.run.settings;
  json["target"] = found.run.target ? Json(found.run.tasks[*found.run.target]) : Json();
  json["tasks"] = tasks_json(found.run);
  json["checkpoints"] = checkpoints_of(found.run.folder);
  json["events"] = to_json(events);
  fmt::print("{}\n", json.dump(2));
}

// The most probable tasks: "6,6 (31%), 5,6 (20%)".
std::string favourites(const RunRecord& run) {
  if (run.task_metrics.empty()) return "";
  const std::vector<double>& policy = run.task_metrics.back().policy;
  std::vector<std::size_t> order(policy.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return policy[i]; });
  std::string text;
  for (std::size_t i = 0; i < std::min(kFavourites, order.size()); ++i) {
    text += fmt::format("{}{} ({:.0f}%)", i == 0 ? "" : ", ", run.tasks[order[i]],
                        100 * policy[order[i]]);
  }
  return text;
}

void print_facts(const FoundRun& found) {
  const RunRecord& run = found.run;
  const double seconds = run.timing.empty() ? 0 : run.timing.back().seconds;
  std::string far = fmt::format("{}, {} of work", how_far(found), clock_time(seconds));
  if (!std::isnan(found.seconds_left())) far += ", " + clock_time(found.seconds_left()) + " left";
  std::vector<Row> rows = {
      {"run", run.folder.string()},
      {"what", what(run)},
      {"status", run.status},
      {"how far", far},
      {"started", start_time(run) + " UTC, by Gradus " + run.version},
      {"favours", favourites(run)},
      {"checkpoints", fmt::format("{}", fmt::join(checkpoints_of(run.folder), ", "))}};
  std::erase_if(rows, [](const Row& row) { return row.back().empty(); });
  fmt::print("{}", aligned(rows));
}

void print_metrics(const RunRecord& run) {
  if (run.metrics.empty()) return fmt::print("\nno evaluation yet\n");
  std::vector<Row> rows;
  for (const MetricField& field : metric_fields()) {
    const double value = run.metrics.back().*field.value;
    if (!std::isnan(value))
      rows.push_back({"  " + field.name, fmt::format("{:.5g}", value), field.help});
  }
  fmt::print("\nlast evaluation\n{}", aligned(rows));
}

void show(const ShowOptions& options) {
  const auto refuse = [](const std::string& problem) { throw InputError(problem); };
  const FoundRun found{*read_unless_broken(options.run, refuse), ""};
  const std::vector<RunEvent> events = read_events(options.run);
  if (options.json) return print_json(found, events);
  print_facts(found);
  print_metrics(found.run);
  fmt::print("\nsettings other than the defaults\n");
  for (const std::string& setting : own_settings(found.run)) fmt::print("  {}\n", setting);
  std::vector<Row> rows;
  for (const RunEvent& event : events) {
    rows.push_back(
        {"  " + event.time, std::to_string(event.steps) + " steps", event.kind, event.message});
  }
  if (!rows.empty()) fmt::print("\nevents\n{}", aligned(rows));
  if (found.run.status != "running") fmt::print("\nnext: {}\n", next_command(found.run));
}

}  // namespace

void add_show(CLI::App& app) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* command =
      app.add_subcommand("show", "Show a run: progress, metrics, settings, checkpoints, events");
  command->add_option("RUN", options->run, "folder of the run, or its record")
      ->check(valid_name())
      ->required();
  add_json_flag(*command, options->json);
  command->callback([options] { show(*options); });
}

}  // namespace gradus::cli
