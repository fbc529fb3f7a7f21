// SPDX-License-Identifier: Apache-2.0
#include "gradus/policies/policies.h"

#include <algorithm>
#include <sstream>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
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
  std::vector<std::string> names;
  for (const PolicyEntry& entry : policy_list()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw_unknown("policy", name, names);
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

// Throws InputError if a setting of some other policy is given that none of the bases reads. An eta
// may not have been given: it may follow from the number of rounds.
void check_bases_read(const std::vector<std::string>& bases, const PolicySettings& settings) {
  for (const std::string& key : given_keys(settings)) {
    if (key == "eta" || key == "bases" || key == "probabilities") continue;
    const auto reads = [&](const std::string& base) { return policy_reads(base, key); };
    if (std::ranges::any_of(bases, reads)) continue;
    throw InputError("none of the bases " + settings.bases + " of policy corral has " + key);
  }
}

std::unique_ptr<Policy> make_corral_over(int tasks, const PolicySettings& settings) {
  std::vector<std::string> names;
  std::vector<std::unique_ptr<Policy>> bases;
  std::istringstream list(settings.bases);
  for (std::string name; std::getline(list, name, ',');) {
    check_base(name);
    names.push_back(name);
    bases.push_back(make_policy(name, tasks, settings));
  }
  check_bases_read(names, settings);
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
       "exp3s, boltzmann, ducb, swucb, thompson: share of uniform exploration; not 0 for the last "
       "three",
       &s.epsilon,
       {0, 1}},
      {"discount",
       "boltzmann: fraction of a task's value that remains after its next reward",
       &s.discount,
       {.low = 0, .high = 1, .below = true}},
      // At 0.01 the smallest weight is exp(-200), so that weights cannot vanish.
      {"temperature",
       "boltzmann: difference of values at which one task is e times as likely as another",
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
  };
}

const std::vector<PolicyEntry>& policy_list() {
  using Settings = const PolicySettings&;
  static const std::vector<PolicyEntry> list = {
      {"exp3s",
       "Exp3.S: the paper's policy; follows rewards that change over time",
       {"eta", "beta", "epsilon"},
       [](int tasks, Settings s) { return make_exp3s(tasks, s.eta, s.beta, s.epsilon); }},
      {"exp3",
       "Exp3: exponential weights over the whole history, without sharing or exploration",
       {"eta"},
       [](int tasks, Settings s) { return make_exp3(tasks, s.eta); }},
      {"exp3ix",
       "Exp3-IX: Exp3 with implicit exploration; finds the best fixed task",
       {},
       [](int tasks, Settings) { return make_exp3ix(tasks); }},
      {"tsallis",
       "Tsallis-INF: finds the best fixed task, whether rewards are random or arbitrary",
       {},
       [](int tasks, Settings) { return make_tsallis(tasks); }},
      {"boltzmann",
       "softmax of each task's recent rewards, as in Teacher-Student Curriculum Learning",
       {"discount", "temperature", "epsilon"},
       [](int tasks, Settings s) {
         return make_boltzmann(tasks, s.discount, s.temperature, s.epsilon);
       }},
      {"ducb",
       "discounted UCB: the largest upper confidence bound, in which old rewards count less",
       {"window", "epsilon"},
       [](int tasks, Settings s) { return make_ducb(tasks, s.window, s.epsilon); }},
      {"swucb",
       "sliding-window UCB: the largest upper confidence bound over the last rewards",
       {"window", "epsilon"},
       [](int tasks, Settings s) { return make_swucb(tasks, s.window, s.epsilon); }},
      {"thompson",
       "discounted Thompson sampling: how likely each task is to be the best one",
       {"window", "epsilon"},
       [](int tasks, Settings s) { return make_thompson(tasks, s.window, s.epsilon); }},
      {"corral",
       "Corral: learns which of several policies to follow",
       {"bases", "eta", "beta", "epsilon", "discount", "temperature", "window"},
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

bool policy_reads(const std::string& name, const std::string& key) {
  const std::vector<std::string>& settings = entry_of(name).settings;
  return std::ranges::find(settings, key) != settings.end();
}

void check_policy_reads(const std::string& name, const std::string& key) {
  if (!policy_reads(name, key)) throw InputError("policy " + name + " has no " + key);
}

void check_policy_settings(const std::string& name, const PolicySettings& settings) {
  for (const std::string& key : given_keys(settings)) check_policy_reads(name, key);
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
