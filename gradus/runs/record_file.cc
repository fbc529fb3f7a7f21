// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/record_file.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <system_error>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/files/file.h"
#include "gradus/files/gzip.h"
#include "gradus/runs/export.h"
#include "gradus/runs/settings.h"

namespace gradus {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostRows = 60;
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

bool measured_all(const TaskMetrics& row) {
  return !row.loss.empty() &&
         std::ranges::none_of(row.loss, [](double loss) { return std::isnan(loss); });
}

// The inverse of how write_jsonl() writes a number.
double number(const Json& json) {
  if (json.is_number()) return json.get<double>();  // first: comparing with a text allocates
  if (json.is_null()) return Metrics::kNone;
  if (json == "inf") return std::numeric_limits<double>::infinity();
  if (json == "-inf") return -std::numeric_limits<double>::infinity();
  return json.get<double>();
}

std::vector<double> numbers(const Json& json) {
  std::vector<double> list;
  for (const Json& value : json) list.push_back(number(value));
  return list;
}

void read_facts(const Json& json, RunRecord& run) {
  if (json.at("type") != "run" || json.at("format") != 1) {
    throw InputError("the first line does not describe a run in a format that this version reads");
  }
  json.at("version").get_to(run.version);
  run.started = static_cast<std::int64_t>(read_count(json, "started"));
  json.at("status").get_to(run.status);
  for (const auto& [key, value] : json.at("settings").items()) run.settings[key] = value;
  json.at("tasks").get_to(run.tasks);
  json.at("units").get_to(run.units);
  if (!json.at("target").is_null()) {
    const std::uint64_t target = read_count(json, "target");
    if (target >= run.tasks.size()) {
      throw InputError("the target is task " + std::to_string(target) + " of " +
                       std::to_string(run.tasks.size()));
    }
    run.target = static_cast<int>(target);
  }
  describe(json.value("curriculum", nlohmann::json()), run);
}

void read_tasks(const Json& json, RunRecord& run) {
  TaskMetrics row{run.metrics.back().steps, numbers(json.at("policy")), numbers(json.at("loss")),
                  numbers(json.at("error"))};
  for (const std::vector<double>* list : {&row.policy, &row.loss, &row.error}) {
    if (list->size() == run.tasks.size()) continue;
    throw InputError("an evaluation has values for " + std::to_string(list->size()) +
                     " tasks, expected " + std::to_string(run.tasks.size()));
  }
  run.task_metrics.push_back(std::move(row));
}

void read_evaluation(const Json& json, RunRecord& run) {
  Metrics metrics;
  metrics.steps = static_cast<std::int64_t>(read_count(json, "steps"));
  metrics.rounds = static_cast<std::int64_t>(read_count(json, "rounds"));
  metrics.refused = static_cast<std::int64_t>(read_count(json, "refused"));
  if (!run.metrics.empty() && metrics.steps <= run.metrics.back().steps) {
    throw InputError("its evaluations are not in order of steps");
  }
  for (const MetricField& field : metric_fields()) {
    metrics.*field.value = number(json.at(field.name));
  }
  run.metrics.push_back(metrics);
  run.timing.push_back(
      {metrics.steps, number(json.at("seconds")), number(json.at("steps_per_second"))});
  if (json.contains("policy")) read_tasks(json, run);
}

// A record is for others, on whose machines our paths mean nothing.
void shorten_paths(RunRecord& run) {
  RunSettings settings;
  for (const Setting& setting : settings_of(settings)) {
    const auto stored = run.settings.find(setting.key);
    if (!setting.is_path || stored == run.settings.end()) continue;
    stored->second = std::filesystem::path(stored->second).filename().string();
  }
}

}  // namespace

bool is_on_coarse_grid(std::size_t index, std::size_t count) {
  if (count <= kMostRows) return true;
  // The last row is kept in any case, so the others share the other places.
  const std::size_t k = (count - 1 + kMostRows - 2) / (kMostRows - 1);
  return index % k == 0 || index + 1 == count;
}

void thin_tasks(RunRecord& run) {
  std::vector<TaskMetrics>& rows = run.task_metrics;
  if (std::ranges::any_of(rows, measured_all)) {
    std::erase_if(rows, [](const TaskMetrics& row) { return !measured_all(row); });
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!is_on_coarse_grid(i, rows.size())) continue;
    if (kept != i) rows[kept] = std::move(rows[i]);
    ++kept;
  }
  rows.resize(kept);
  measure_distances(run);
}

bool is_record(const std::filesystem::path& file) {
  std::error_code ignored;
  return file.string().ends_with(kRecordSuffix) && std::filesystem::is_regular_file(file, ignored);
}

void write_record(RunRecord run, const std::filesystem::path& file) {
  thin_tasks(run);
  shorten_paths(run);
  std::ostringstream text;
  write_jsonl(run, text);
  write_durably(file, gzip(text.str()));
}

RunRecord read_record(const std::filesystem::path& file) {
  std::istringstream lines(gunzip(read_file(file), file.string(), kMostBytes));
  RunRecord run;
  run.folder = file;
  std::string line;
  try {
    std::getline(lines, line);
    read_facts(Json::parse(line), run);
    while (std::getline(lines, line)) read_evaluation(Json::parse(line), run);
  } catch (const std::exception& error) {
    throw InputError(file.string() + ": is not a record of a run: " + error.what());
  }
  measure_distances(run);
  return run;
}

}  // namespace gradus
