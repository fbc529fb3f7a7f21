#pragma once

#include <memory>
#include <string>
#include <vector>

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

/// The policies by name, with a line on each.
struct PolicyEntry {
  std::string name;
  std::string summary;
};
const std::vector<PolicyEntry>& policy_list();

/// Makes the policy `name` over `tasks` tasks. Throws InputError for an unknown name or a setting
/// out of range.
std::unique_ptr<Policy> make_policy(const std::string& name, int tasks,
                                    const PolicySettings& settings);

std::unique_ptr<Policy> make_exp3s(int tasks, double eta, double beta, double epsilon);
std::unique_ptr<Policy> make_exp3(int tasks, double eta);
std::unique_ptr<Policy> make_uniform(int tasks);
std::unique_ptr<Policy> make_fixed(std::vector<double> probabilities);

}  // namespace gradus
