// SPDX-License-Identifier: Apache-2.0
#include "gradus/bandit/make_syllabus.h"

#include <algorithm>
#include <unordered_set>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"

namespace gradus {
namespace {

using nlohmann::json;

void check_tasks(const std::vector<std::string>& tasks) {
  if (tasks.empty()) throw InputError("tasks is empty, expected at least one name");
  std::unordered_set<std::string> seen;
  for (const std::string& task : tasks) {
    if (!seen.insert(task).second) {
      throw InputError("task \"" + task + "\" is listed twice, expected distinct names");
    }
  }
}

void check_rounds(const SyllabusSettings& settings) {
  if (*settings.rounds < 1) throw InputError("rounds is 0, expected a whole number, 1 or more");
  if (takes_rounds(settings)) return;
  if (!settings.policy_settings.eta) {
    throw InputError("rounds is given, but policy " + settings.policy + " has no automatic eta");
  }
  throw InputError("rounds is " + std::to_string(*settings.rounds) + " and eta " +
                   to_text(*settings.policy_settings.eta) +
                   ", expected only one of them: rounds only applies to an automatic eta");
}

void check_key(const std::string& policy, const std::string& key, const std::string& bases) {
  std::vector<std::string> known = quantile_scale_keys();
  known.emplace_back("rounds");
  if (std::ranges::find(known, key) != known.end()) return;
  for (const PolicyEntry& entry : policy_list()) {
    for (const std::string& setting : entry.settings) {
      if (std::ranges::find(known, setting) == known.end()) known.push_back(setting);
    }
  }
  find_known("setting", key, known);
  check_policy_reads(policy, key, bases);
}

// The numbers of the setting `key`, an object keyed by task, in the order of the tasks.
json in_order(const std::string& key, const json& by_task, const std::vector<std::string>& tasks) {
  const auto has_entry = [&](const std::string& task) { return by_task.contains(task); };
  if (by_task.size() != tasks.size() || !std::ranges::all_of(tasks, has_entry)) {
    for (const auto& [task, probability] : by_task.items()) find_known("task", task, tasks);
  }
  json list = json::array();
  for (const std::string& task : tasks) {
    if (!by_task.contains(task)) {
      throw InputError(key + " has no entry for \"" + task + "\", expected one for each task");
    }
    list.push_back(by_task[task]);
  }
  return list;
}

std::uint64_t read_rounds(const json& value) {
  const bool positive = value.is_number_unsigned() || (value.is_number_integer() && value > 0);
  if (positive) return value.get<std::uint64_t>();
  throw InputError("rounds is " + value.dump() + ", expected a whole number, 1 or more");
}

std::uint64_t read_seed(const json& seed) {
  // Numbers from Python are signed.
  const bool positive = seed.is_number_integer() && seed >= 0;
  if (!seed.is_number_unsigned() && !positive) {
    throw InputError("the seed is " + seed.dump() + ", expected a whole number from 0 to 2^64 - 1");
  }
  return seed.get<std::uint64_t>();
}

Syllabus make_saved(const json& saved) try {
  const json& policy = saved.at("policy");
  const auto name = policy.at("name").get<std::string>();
  json policy_settings = json::object();
  for (const auto& [key, value] : policy.at("settings").items()) {
    // `uniform` saves its probabilities but cannot be given any.
    if (policy_reads(name, key)) policy_settings[key] = value;
  }
  return make_syllabus(
      saved.at("tasks").get<std::vector<std::string>>(),
      {.policy = name,
       .policy_settings = read_policy_settings(policy_settings),
       .reward_scale = read_quantile_scale_settings(saved.at("scale").at("settings")),
       .seed = read_seed(saved.at("seed"))});
} catch (const InputError& error) {
  throw InputError(std::string("saved syllabus is damaged: ") + error.what());
} catch (const json::exception& error) {
  throw InputError(std::string("saved syllabus is damaged: ") + error.what());
}

}  // namespace

bool takes_rounds(const SyllabusSettings& settings) {
  const PolicySettings& policy = settings.policy_settings;
  return policy_reads(settings.policy, "eta", policy.bases) && !policy.eta;
}

std::unique_ptr<Policy> make_policy(int tasks, const SyllabusSettings& settings) {
  check_policy_settings(settings.policy, settings.policy_settings);
  PolicySettings policy = settings.policy_settings;
  if (settings.rounds) {
    check_rounds(settings);
    policy.eta = automatic_eta(tasks, *settings.rounds);
  }
  return make_policy(settings.policy, tasks, policy);
}

Syllabus make_syllabus(std::vector<std::string> tasks, const SyllabusSettings& settings) {
  check_tasks(tasks);
  const int size = static_cast<int>(tasks.size());
  return {std::move(tasks), make_policy(size, settings),
          make_quantile_scale(settings.reward_scale, settings.seed), settings.seed};
}

SyllabusSettings read_syllabus_settings(const std::string& policy,
                                        const std::vector<std::string>& tasks, json settings) {
  const json bases = settings.value("bases", json(PolicySettings{}.bases));
  for (const auto& [key, value] : settings.items()) {
    check_key(policy, key, bases.is_string() ? bases.get<std::string>() : "");
    const bool by_task = key == "probabilities" || key == "prior";
    if (by_task && value.is_object()) settings[key] = in_order(key, value, tasks);
  }
  SyllabusSettings read{.policy = policy,
                        .policy_settings = read_policy_settings(settings),
                        .reward_scale = read_quantile_scale_settings(settings)};
  if (settings.contains("rounds")) read.rounds = read_rounds(settings["rounds"]);
  return read;
}

Syllabus read_syllabus(const json& saved) {
  Syllabus syllabus = make_saved(saved);
  syllabus.restore(saved);
  return syllabus;
}

}  // namespace gradus
