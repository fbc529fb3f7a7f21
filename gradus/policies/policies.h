#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gradus/core/policy.h"

namespace gradus {

/// Settings of all policies. Each policy reads only its own.
struct PolicySettings {
  /// exp3s, exp3: step size. If empty, it is automatic: automatic_eta(tasks, t) at the t-th reward.
  /// If the number of rewards is known in advance, automatic_eta() is a better choice.
  std::optional<double> eta = {};
  double beta = 0;  ///< exp3s: added to every task's reward
  /// exp3s, boltzmann, ducb, swucb, thompson: fraction of uniform exploration, 0..1. Not 0 for the
  /// last three.
  double epsilon = 0.05;
  /// boltzmann: weight of a task's value relative to 1 - discount for its next reward, 0..1, not 1.
  double discount = 0.9;
  /// boltzmann: difference of values at which one task is e times as likely as another, from 0.01.
  double temperature = 0.1;
  /// ducb, swucb, thompson: number of rewards that they remember, a whole number. If empty, it is
  /// automatic: 100 per task.
  std::optional<double> window = {};
  /// corral: names of the base policies, separated by commas. They share the other settings.
  std::string bases = "exp3s,boltzmann,thompson";
  /// fixed: one probability per task, summing to 1.
  std::vector<double> probabilities = {};
};

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

/// Whether the policy `name` reads the setting `key`. Throws InputError if there is no such policy.
bool policy_reads(const std::string& name, const std::string& key);
/// Throws InputError if the policy `name` does not read the setting `key`, or there is no such
/// policy.
void check_policy_reads(const std::string& name, const std::string& key);
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
                                   double epsilon);
std::unique_ptr<Policy> make_exp3(int tasks, std::optional<double> eta);
std::unique_ptr<Policy> make_boltzmann(int tasks, double discount, double temperature,
                                       double epsilon);
std::unique_ptr<Policy> make_ducb(int tasks, std::optional<double> window, double epsilon);
std::unique_ptr<Policy> make_swucb(int tasks, std::optional<double> window, double epsilon);
std::unique_ptr<Policy> make_thompson(int tasks, std::optional<double> window, double epsilon);
std::unique_ptr<Policy> make_exp3ix(int tasks);
std::unique_ptr<Policy> make_tsallis(int tasks);
std::unique_ptr<Policy> make_uniform(int tasks);
std::unique_ptr<Policy> make_fixed(std::vector<double> probabilities);

}  // namespace gradus
