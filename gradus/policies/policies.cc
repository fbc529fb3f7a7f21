// SPDX-License-Identifier: Apache-2.0
#include "gradus/policies/policies.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/text.h"
#include "gradus/policies/corral.h"
#include "gradus/policies/weights.h"

namespace gradus {
namespace {

using nlohmann::json;

std::unique_ptr<Policy> make_fixed_over(int tasks, const std::vector<double>& probabilities) {
  if (probabilities.size() != static_cast<std::size_t>(tasks)) {
    throw InputError("policy fixed has " + std::to_string(probabilities.size()) +
                     " probabilities, expected one for each of " + std::to_string(tasks) +
                     " tasks");
  }
  return make_fixed(probabilities);
}

const PolicyEntry& entry_of(const std::string& name) {
  return find_entry("policy", name, policy_list());
}

// The names of the settings that are not the default.
std::vector<std::string> given_keys(PolicySettings settings) {
  PolicySettings defaults;
  const std::vector<Setting> given = settings_of(settings);
  const std::vector<Setting> usual = settings_of(defaults);
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (to_json(given[i]) != to_json(usual[i])) keys.push_back(given[i].key);
  }
  return keys;
}

// Empty if `bases` is. A comma at the end adds no name.
std::vector<std::string> names_in(const std::string& bases) {
  std::vector<std::string> names = split(bases, ',');
  if (names.back().empty()) names.pop_back();
  return names;
}

std::unique_ptr<Policy> make_corral_over(int tasks, const PolicySettings& settings) {
  std::vector<std::unique_ptr<Policy>> bases;
  for (const std::string& name : names_in(settings.bases)) {
    check_base(name);
    bases.push_back(make_policy(name, tasks, settings));
  }
  return make_corral(std::move(bases));
}

}  // namespace

std::vector<Setting> settings_of(PolicySettings& s) {
  return {
      {"eta",
       "step size of exp3s and exp3; \"auto\" derives it from the number of tasks and the expected "
       "number of batches",
       &s.eta,
       {0, kLargestStep}},
      {"beta",
       "exp3s: constant added to every task's reward",
       &s.beta,
       {-kLargestStep, kLargestStep}},
      {"epsilon",
       "exp3s, boltzmann, ducb, swucb, thompson: share of exploration (uniform, or by the prior); "
       "not 0 for the last three",
       &s.epsilon,
       {0, 1}},
      {"discount",
       "boltzmann: fraction of a task's value that remains after its next reward",
       &s.discount,
       {.low = 0, .high = 1, .below = true}},
      // At 0.01 the smallest weight is exp(-200), so that weights cannot vanish.
      {"temperature",
       "boltzmann: a task whose value is higher by this much is drawn e times as often",
       &s.temperature,
       {0.01, 1e6}},
      {"window",
       "ducb, swucb, thompson: number of rewards to remember; \"auto\" is 100 per task",
       &s.window,
       {1, 1e9}},
      {"bases",
       "corral: policies to choose from, separated by commas; they share the other settings",
       &s.bases},
      {"probabilities", "fixed: one probability per task", &s.probabilities, {0, 1}},
      {"prior",
       "all policies but uniform and fixed: weights of the tasks before anything is learned, one "
       "per task; all equal if none are given",
       &s.prior,
       {0, 1e9}},
  };
}

const std::vector<PolicyEntry>& policy_list() {
  using Settings = const PolicySettings&;
  static const std::vector<PolicyEntry> list = {
      {"exp3s",
       "Exp3.S: the paper's policy; follows rewards that change over time",
       {"eta", "beta", "epsilon", "prior"},
       [](int tasks, Settings s) { return make_exp3s(tasks, s.eta, s.beta, s.epsilon, s.prior); }},
      {"exp3",
       "Exp3: exponential weights over the whole history, without sharing or exploration",
       {"eta", "prior"},
       [](int tasks, Settings s) { return make_exp3(tasks, s.eta, s.prior); }},
      {"exp3ix",
       "Exp3-IX: Exp3 with implicit exploration; finds the best fixed task",
       {"prior"},
       [](int tasks, Settings s) { return make_exp3ix(tasks, s.prior); }},
      {"tsallis",
       "Tsallis-INF: finds the best fixed task, whether rewards are random or arbitrary",
       {"prior"},
       [](int tasks, Settings s) { return make_tsallis(tasks, s.prior); }},
      {"boltzmann",
       "softmax of each task's recent rewards, as in Teacher-Student Curriculum Learning",
       {"discount", "temperature", "epsilon", "prior"},
       [](int tasks, Settings s) {
         return make_boltzmann(tasks, s.discount, s.temperature, s.epsilon, s.prior);
       }},
      {"ducb",
       "discounted UCB: the largest upper confidence bound, in which old rewards count less",
       {"window", "epsilon", "prior"},
       [](int tasks, Settings s) { return make_ducb(tasks, s.window, s.epsilon, s.prior); }},
      {"swucb",
       "sliding-window UCB: the largest upper confidence bound over the last rewards",
       {"window", "epsilon", "prior"},
       [](int tasks, Settings s) { return make_swucb(tasks, s.window, s.epsilon, s.prior); }},
      {"thompson",
       "discounted Thompson sampling: how likely each task is to be the best one",
       {"window", "epsilon", "prior"},
       [](int tasks, Settings s) { return make_thompson(tasks, s.window, s.epsilon, s.prior); }},
      {"corral",
       "Corral: learns which of several policies to follow",
       {"bases", "eta", "beta", "epsilon", "discount", "temperature", "window", "prior"},
       [](int tasks, Settings s) { return make_corral_over(tasks, s); }},
      {"uniform",
       "the same probability for every task; ignores rewards",
       {},
       [](int tasks, Settings) { return make_uniform(tasks); }},
      {"fixed",
       "a given distribution; ignores rewards",
       {"probabilities"},
       [](int tasks, Settings s) { return make_fixed_over(tasks, s.probabilities); }},
  };
  return list;
}

std::unique_ptr<Policy> make_policy(const std::string& name, int tasks,
                                    const PolicySettings& settings) {
  if (tasks < 1) throw InputError("a policy needs at least one task");
  return entry_of(name).make(tasks, settings);
}

bool policy_reads(const std::string& name, const std::string& key, const std::string& bases) {
  const std::vector<std::string>& settings = entry_of(name).settings;
  if (std::ranges::find(settings, key) == settings.end()) return false;
  if (name != "corral" || key == "bases") return true;
  return std::ranges::any_of(names_in(bases), [&](const std::string& base) {
    return base != name && policy_reads(base, key);
  });
}

void check_policy_reads(const std::string& name, const std::string& key, const std::string& bases) {
  if (policy_reads(name, key, bases)) return;
  if (policy_reads(name, key)) {
    throw InputError("none of the bases " + bases + " of policy " + name + " has the setting " +
                     key);
  }
  throw InputError("policy " + name + " has no setting " + key);
}

void check_policy_settings(const std::string& name, const PolicySettings& settings) {
  for (const std::string& key : given_keys(settings)) {
    check_policy_reads(name, key, settings.bases);
  }
}

PolicySettings read_policy_settings(const json& settings) {
  PolicySettings read;
  for (const Setting& setting : settings_of(read)) {
    const auto given = settings.find(setting.key);
    if (given != settings.end()) set_json(setting, *given);
  }
  return read;
}

}  // namespace gradus
