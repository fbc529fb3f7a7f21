// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gradus/core/syllabus.h"
#include "gradus/policies/policies.h"
#include "gradus/rewards/quantile_scale.h"

namespace gradus {

/// Settings of a syllabus. The defaults are the paper's policy and reward scale, with an automatic
/// step size.
struct SyllabusSettings {
  std::string policy = "exp3s";  ///< a name in policy_list()
  PolicySettings policy_settings = {};
  QuantileScaleSettings reward_scale = {};
  /// The number of rewards that the syllabus will get, roughly. The automatic eta is chosen for it;
  /// without it, eta falls as rewards arrive.
  std::optional<std::uint64_t> rounds = {};
  std::uint64_t seed = 1;
};

/// Whether `rounds` has a meaning: the policy has an eta, and it is automatic. Throws InputError if
/// there is no such policy.
bool takes_rounds(const SyllabusSettings& settings);

/// Makes a syllabus over the named tasks. Throws InputError if there are no tasks, two have the
/// same name, a setting is out of range, the policy does not have a setting that is not the
/// default, or `rounds` is given although eta is not automatic.
Syllabus make_syllabus(std::vector<std::string> tasks, const SyllabusSettings& settings = {});

/// Makes only the policy of such a syllabus. Throws InputError as above.
std::unique_ptr<Policy> make_policy(int tasks, const SyllabusSettings& settings);

/// Reads the settings of a syllabus over `tasks` from a JSON object: the settings of the policy
/// (policy_list()), those of the reward scale (quantile_scale_keys()), and "rounds". The policy's
/// "probabilities" and "prior" may be objects with a number for each task. Throws InputError if a
/// setting is unknown, the policy does not have it, or its value has the wrong type.
SyllabusSettings read_syllabus_settings(const std::string& policy,
                                        const std::vector<std::string>& tasks,
                                        nlohmann::json settings);

/// Makes the syllabus that Syllabus::save() saved, to continue exactly from there. Throws
/// InputError if `saved` is damaged or has another format or version.
Syllabus read_syllabus(const nlohmann::json& saved);

}  // namespace gradus
