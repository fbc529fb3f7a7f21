// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gradus/core/policy.h"
#include "gradus/core/setting.h"

namespace gradus {

/// Settings of all policies. Each policy reads only its own.
struct PolicySettings {
  /// exp3s, exp3: step size. If empty, it is automatic: automatic_eta(tasks, t) at the t-th reward.
  /// If the number of rewards is known in advance, automatic_eta() is a better choice.
  std::optional<double> eta = {};
  double beta = 0;
  double epsilon = 0.05;
  double discount = 0.9;
  double temperature = 0.1;
  std::optional<double> window = {};  ///< automatic if empty: 100 per task
  std::string bases = "exp3s,boltzmann,thompson";
  /// fixed: must sum to 1.
  std::vector<double> probabilities = {};
  /// All others but uniform: weights of the initial distribution (prior.h); uniform if empty.
  std::vector<double> prior = {};
};
std::vector<Setting> settings_of(PolicySettings& settings);

/// The automatic step size for `tasks` tasks and `rounds` rewards. The formula and its derivation
/// are in automatic_eta.cc. REQUIRES tasks >= 1 and rounds >= 1.
double automatic_eta(int tasks, std::uint64_t rounds);

/// All policies: name, one-line summary, the settings that each reads, and how it is made.
struct PolicyEntry {
  std::string name;
  std::string summary;
  std::vector<std::string> settings;
  std::unique_ptr<Policy> (*make)(int tasks, const PolicySettings& settings);
};
const std::vector<PolicyEntry>& policy_list();

/// Whether the policy `name` reads the setting `key`. `corral` reads those of its `bases`. Throws
/// InputError if there is no such policy.
bool policy_reads(const std::string& name, const std::string& key,
                  const std::string& bases = PolicySettings{}.bases);
/// Throws InputError if the policy `name` does not read the setting `key`, or there is no such
/// policy.
void check_policy_reads(const std::string& name, const std::string& key,
                        const std::string& bases = PolicySettings{}.bases);
/// The same for every setting whose value is not the default.
void check_policy_settings(const std::string& name, const PolicySettings& settings);

/// Reads settings by name, such as the result of Policy::settings(); an automatic eta is "auto".
/// Settings that are missing keep their defaults, and other names are ignored. Throws InputError if
/// a value has the wrong type.
PolicySettings read_policy_settings(const nlohmann::json& settings);

/// Makes the policy `name` over `tasks` tasks. Throws InputError for an unknown name or a setting
/// out of range.
std::unique_ptr<Policy> make_policy(const std::string& name, int tasks,
                                    const PolicySettings& settings);

std::unique_ptr<Policy> make_exp3s(int tasks, std::optional<double> eta, double beta,
                                   double epsilon, std::vector<double> prior = {});
std::unique_ptr<Policy> make_exp3(int tasks, std::optional<double> eta,
                                  std::vector<double> prior = {});
std::unique_ptr<Policy> make_boltzmann(int tasks, double discount, double temperature,
                                       double epsilon, std::vector<double> prior = {});
std::unique_ptr<Policy> make_ducb(int tasks, std::optional<double> window, double epsilon,
                                  std::vector<double> prior = {});
std::unique_ptr<Policy> make_swucb(int tasks, std::optional<double> window, double epsilon,
                                   std::vector<double> prior = {});
std::unique_ptr<Policy> make_thompson(int tasks, std::optional<double> window, double epsilon,
                                      std::vector<double> prior = {});
std::unique_ptr<Policy> make_exp3ix(int tasks, std::vector<double> prior = {});
std::unique_ptr<Policy> make_tsallis(int tasks, std::vector<double> prior = {});
std::unique_ptr<Policy> make_uniform(int tasks);
std::unique_ptr<Policy> make_fixed(std::vector<double> probabilities);

}  // namespace gradus
