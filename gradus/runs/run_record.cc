// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/run_record.h"

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/policy.h"
#include "gradus/runs/settings.h"

namespace gradus {
namespace {

CurriculumDescription description_by_settings(const RunRecord& record) {
  if (!record.settings.contains("curriculum")) return {};
  RunSettings settings;
  const std::vector<Setting> of_curricula = settings_of(settings.curricula);
  for (const Setting& setting : of_curricula) {
    const auto stored = record.settings.find(setting.key);
    if (stored == record.settings.end()) continue;
    apply_override(setting.key + "=" + stored->second, of_curricula);
  }
  return description_of(setting_of(record, "curriculum"), settings.curricula);
}

}  // namespace

nlohmann::ordered_json to_json(const std::vector<RunEvent>& events) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const RunEvent& event : events) {
    list.push_back({{"time", event.time},
                    {"steps", event.steps},
                    {"kind", event.kind},
                    {"message", event.message}});
  }
  return list;
}

std::string setting_of(const RunRecord& run, const std::string& key, const std::string& otherwise) {
  const auto found = run.settings.find(key);
  return found == run.settings.end() ? otherwise : found->second;
}

void describe(const nlohmann::json& stored, RunRecord& record) {
  const bool complete = stored.is_object() ? stored.contains("paper") : !stored.is_null();
  record.description = complete ? read_description(stored) : description_by_settings(record);
  for (const TaskAxis& axis : record.description.axes) {
    if (axis.values.size() == record.tasks.size()) continue;
    throw InputError(record.folder.string() + ": has " + std::to_string(axis.values.size()) +
                     " values of " + axis.name + ", expected " +
                     std::to_string(record.tasks.size()) + ", one per task");
  }
}

void keep_last(RunRecord& record) {
  record.task_metrics.clear();
  if (record.metrics.size() > 1) record.metrics = {record.metrics.back()};
  if (record.timing.size() > 1) record.timing = {record.timing.back()};
}

void measure_distances(RunRecord& record) {
  for (Metrics& metrics : record.metrics) metrics.moved = Metrics::kNone;
  auto metrics = record.metrics.begin();
  for (const TaskMetrics& tasks : record.task_metrics) {
    while (metrics != record.metrics.end() && metrics->steps < tasks.steps) ++metrics;
    if (metrics == record.metrics.end()) return;
    if (metrics->steps == tasks.steps) metrics->moved = distance_from_uniform(tasks.policy);
  }
}

}  // namespace gradus
