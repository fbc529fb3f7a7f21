#pragma once

#include <cstdint>
#include <memory>

#include "gradus/core/reward_scale.h"

namespace gradus {

struct QuantileScaleSettings {
  double low = 0.2;
  double high = 0.8;
  std::int64_t reservoir = 10'000;  ///< raw rewards kept
};

/// The paper's adaptive reward scale (section 2.3). With q_lo and q_hi the quantiles of the raw
/// rewards before this one, r:
///
///   -1 where r < q_lo,  +1 where r > q_hi,  else 2 (r - q_lo) / (q_hi - q_lo) - 1;
///   0 where there is no history, or q_lo = q_hi = r.
///
/// Throws InputError where a setting is out of range.
std::unique_ptr<RewardScale> make_quantile_scale(const QuantileScaleSettings& settings,
                                                 std::uint64_t seed);

}  // namespace gradus
