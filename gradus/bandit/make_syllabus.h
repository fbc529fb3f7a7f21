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

/// Makes a syllabus over the named tasks. Throws InputError if there are no tasks, two have the
/// same name, a setting is out of range, or `rounds` is given although eta is not automatic.
Syllabus make_syllabus(std::vector<std::string> tasks, const SyllabusSettings& settings = {});

/// Makes the syllabus that Syllabus::save() saved, to continue exactly from there. Throws
/// InputError if `saved` is damaged or has another format or version.
Syllabus read_syllabus(const nlohmann::json& saved);

}  // namespace gradus
