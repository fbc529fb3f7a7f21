// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gradus/core/reward_scale.h"
#include "gradus/core/setting.h"

namespace gradus {

struct QuantileScaleSettings {
  double low = 0.2;
  double high = 0.8;
  std::int64_t reservoir = 10'000;
};
std::vector<Setting> settings_of(QuantileScaleSettings& settings);

/// The names of these settings, and a reader of them, for example from RewardScale::settings().
/// Settings that are missing keep their defaults, and other names are ignored. Throws InputError if
/// a value has the wrong type.
const std::vector<std::string>& quantile_scale_keys();
QuantileScaleSettings read_quantile_scale_settings(const nlohmann::json& settings);

/// The paper's adaptive reward scale (section 2.3). Let q_lo and q_hi be the quantiles of the raw
/// rewards before r. The scaled reward of r is
///
///   0    if there is no history, or q_lo = q_hi = r;
///   -1   if r < q_lo;
///   +1   if r > q_hi;
///   2 (r - q_lo) / (q_hi - q_lo) - 1   otherwise.
///
/// Throws InputError if a setting is out of range. scale() throws InputError if the reward is not
/// finite.
std::unique_ptr<RewardScale> make_quantile_scale(const QuantileScaleSettings& settings,
                                                 std::uint64_t seed);

}  // namespace gradus
