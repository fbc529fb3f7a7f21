#include "gradus/policies/policies.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
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

// All fields of PolicySettings, by the names that read_policy_settings() reads.
json fields_of(const PolicySettings& settings) {
  return {{"eta", settings.eta ? json(*settings.eta) : json("auto")},
          {"beta", settings.beta},
          {"epsilon", settings.epsilon},
          {"probabilities", settings.probabilities}};
}

double number_of(const json& value, const char* key, const char* expected = "a number") {
  if (value.is_number()) return value.get<double>();
  throw InputError(std::string(key) + " is " + value.dump() + ", expected " + expected);
}

std::vector<double> numbers_of(const json& values, const char* key) {
  if (!values.is_array()) {
    throw InputError(std::string(key) + " is " + values.dump() + ", expected a list of numbers");
  }
  std::vector<double> numbers;
  for (const json& value : values) numbers.push_back(number_of(value, key, "a list of numbers"));
  return numbers;
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
  const json given = fields_of(settings);
  const json defaults = fields_of({});
  for (const auto& [key, value] : given.items()) {
    if (value != defaults[key]) check_policy_reads(name, key);
  }
}

PolicySettings read_policy_settings(const json& settings) {
  PolicySettings read;
  const auto given = [&](const char* key, auto use) {
    const auto found = settings.find(key);
    if (found != settings.end()) use(*found, key);
  };
  given("eta", [&](const json& value, const char* key) {
    if (value == "auto") return read.eta.reset();
    read.eta = number_of(value, key, "a number or \"auto\"");
  });
  given("beta", [&](const json& value, const char* key) { read.beta = number_of(value, key); });
  given("epsilon",
        [&](const json& value, const char* key) { read.epsilon = number_of(value, key); });
  given("probabilities",
        [&](const json& value, const char* key) { read.probabilities = numbers_of(value, key); });
  return read;
}

}  // namespace gradus
