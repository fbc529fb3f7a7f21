#include "gradus/policies/policies.h"

#include "gradus/core/error.h"

namespace gradus {

const std::vector<PolicyEntry>& policy_list() {
  static const std::vector<PolicyEntry> list = {
      {"exp3s", "Exp3.S: the paper's policy; follows rewards that change over time"},
      {"exp3", "Exp3: exponential weights over the whole history, without sharing or exploration"},
      {"uniform", "every task alike; ignores rewards"},
      {"fixed", "a given distribution; ignores rewards"},
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
  std::vector<std::string> names;
  for (const PolicyEntry& entry : policy_list()) names.push_back(entry.name);
  throw_unknown("policy", name, names);
}

}  // namespace gradus
