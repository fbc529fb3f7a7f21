#include "gradus/policies/policies.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/policies/weights.h"

namespace gradus {
namespace {

[[noreturn]] void throw_unknown_policy(const std::string& name) {
  std::vector<std::string> names;
  for (const PolicyEntry& entry : policy_list()) names.push_back(entry.name);
  throw_unknown("policy", name, names);
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
      {"epsilon", "exp3s: share of uniform exploration", &s.epsilon, {0, 1}},
      {"probabilities", "fixed: one probability per task", &s.probabilities, {0, 1}},
  };
}

const std::vector<PolicyEntry>& policy_list() {
  static const std::vector<PolicyEntry> list = {
      {"exp3s",
       "Exp3.S: the paper's policy; follows rewards that change over time",
       {"eta", "beta", "epsilon"}},
      {"exp3",
       "Exp3: exponential weights over the whole history, without sharing or exploration",
       {"eta"}},
      {"uniform", "the same probability for every task; ignores rewards", {}},
      {"fixed", "a given distribution; ignores rewards", {"probabilities"}},
  };
  return list;
}

std::unique_ptr<Policy> make_policy(const std::string& name, int tasks,
                                    const PolicySettings& settings) {
  if (tasks < 1) throw InputError("a policy needs at least one task");
  if (name == "exp3s") return make_exp3s(tasks, settings.eta, settings.beta, settings.epsilon);
  if (name == "exp3") return make_exp3(tasks, settings.eta);
  if (name == "uniform") return make_uniform(tasks);
  if (name == "fixed") {
    if (settings.probabilities.size() != static_cast<std::size_t>(tasks)) {
      throw InputError("policy fixed has " + std::to_string(settings.probabilities.size()) +
                       " probabilities, expected one for each of " + std::to_string(tasks) +
                       " tasks");
    }
    return make_fixed(settings.probabilities);
  }
  throw_unknown_policy(name);
}

bool policy_reads(const std::string& name, const std::string& key) {
  for (const auto& [policy, summary, settings] : policy_list()) {
    if (policy == name) return std::ranges::find(settings, key) != settings.end();
  }
  throw_unknown_policy(name);
}

void check_policy_reads(const std::string& name, const std::string& key) {
  if (!policy_reads(name, key)) throw InputError("policy " + name + " has no " + key);
}

PolicySettings read_policy_settings(const nlohmann::json& settings) {
  PolicySettings read;
  if (settings.contains("eta")) read.eta = read_eta(settings["eta"]);
  read.beta = settings.value("beta", read.beta);
  read.epsilon = settings.value("epsilon", read.epsilon);
  read.probabilities = settings.value("probabilities", read.probabilities);
  return read;
}

}  // namespace gradus
