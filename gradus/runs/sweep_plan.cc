// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/sweep_plan.h"

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/files/file.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The settings as TOML values, without those that `base` has too.
Json settings_json(RunSettings settings, const Json& base = Json::object()) {
  Json json = Json::object();
  for (const Setting& setting : settings_of(settings)) {
    const std::string value = value_text(setting);
    if (base.value(setting.key, "") != value) json[setting.key] = value;
  }
  return json;
}

void apply(const Json& json, RunSettings& settings) {
  const std::vector<Setting> all = settings_of(settings);
  for (const auto& [key, value] : json.items()) {
    apply_override(key + "=" + value.get<std::string>(), all);
  }
}

// A name from a file must be that of a folder in the sweep's folder.
std::string checked_name(const std::string& name) {
  const bool is_name = !name.empty() && name.size() <= 255 && !name.starts_with('.') &&
                       name.find_first_of(std::string_view("/\0", 2)) == std::string::npos;
  if (!is_name) {
    throw InputError("\"" + name + "\" is not the name of a run");
  }
  return name;
}

}  // namespace

fs::path plan_file(const fs::path& folder) {
  return folder / "sweep.json";
}

void write_plan(const SweepPlan& plan, const fs::path& folder) {
  Json json = {{"format", 1}, {"results", plan.results}, {"settings", Json::object()}};
  if (!plan.runs.empty()) json["settings"] = settings_json(plan.runs.front().settings);
  json["runs"] = Json::array();
  for (const SweepRun& run : plan.runs) {
    json["runs"].push_back(
        {{"name", run.name}, {"differs", settings_json(run.settings, json["settings"])}});
  }
  write_durably(plan_file(folder), json.dump(1) + "\n");
}

SweepPlan read_plan(const fs::path& folder) {
  const fs::path file = plan_file(folder);
  try {
    const Json json = Json::parse(read_file(file));
    SweepPlan plan;
    json.at("results").get_to(plan.results);
    RunSettings base;
    apply(json.at("settings"), base);
    for (const Json& entry : json.at("runs")) {
      plan.runs.push_back({checked_name(entry.at("name")), base});
      apply(entry.at("differs"), plan.runs.back().settings);
    }
    return plan;
  } catch (const std::exception& error) {
    throw InputError(file.string() + ": is not the plan of a sweep: " + error.what());
  }
}

}  // namespace gradus
