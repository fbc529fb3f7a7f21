#pragma once

#include <nlohmann/json_fwd.hpp>

namespace gradus {

/// Maps raw rewards, whose magnitude nobody knows beforehand, to [-1, 1] (paper, section 2.3).
class RewardScale {
 public:
  virtual ~RewardScale() = default;

  struct Range {
    double low;
    double high;
  };
  /// The raw rewards that map to -1 and +1 at present; NaN while there is no history.
  virtual Range range() const = 0;
  /// The scaled reward of `raw`, by the history before it; `raw` then joins the history.
  virtual double scale(double raw) = 0;

  /// As for Policy.
  virtual nlohmann::json settings() const = 0;
  virtual nlohmann::json state() const = 0;
  virtual void restore(const nlohmann::json& state) = 0;
};

}  // namespace gradus
