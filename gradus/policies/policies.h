#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gradus/core/policy.h"

namespace gradus {

/// What a policy may be made with; each reads what concerns it.
struct PolicySettings {
  double eta = 1e-3;      ///< exp3s, exp3: step size
  double beta = 0;        ///< exp3s: added to every task's reward
  double epsilon = 0.05;  ///< exp3s: share of uniform exploration
  /// fixed: one probability a task, summing to 1.
  std::vector<double> probabilities = {};
};

/// The policies by name, with a line on each and the settings that they read.
struct PolicyEntry {
  std::string name;
  std::string summary;
  std::vector<std::string> settings;
};
const std::vector<PolicyEntry>& policy_list();

/// Throws InputError where the policy `name` does not read the setting `key`, or there is no such
/// policy.
void check_policy_reads(const std::string& name, const std::string& key);

/// The settings that Policy::settings() gave, to make another such policy.
PolicySettings read_policy_settings(const nlohmann::json& settings);

/// Makes the policy `name` over `tasks` tasks. Throws InputError for an unknown name or a setting
/// out of range.
std::unique_ptr<Policy> make_policy(const std::string& name, int tasks,
                                    const PolicySettings& settings);

std::unique_ptr<Policy> make_exp3s(int tasks, double eta, double beta, double epsilon);
std::unique_ptr<Policy> make_exp3(int tasks, double eta);
std::unique_ptr<Policy> make_uniform(int tasks);
std::unique_ptr<Policy> make_fixed(std::vector<double> probabilities);

}  // namespace gradus
