// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <nlohmann/json_fwd.hpp>

namespace gradus {

/// Maps raw rewards, whose magnitude is not known in advance, to [-1, 1] (paper, section 2.3).
class RewardScale {
 public:
  virtual ~RewardScale() = default;

  struct Range {
    double low;
    double high;
  };
  /// The raw rewards that currently map to -1 and +1. NaN if there is no history yet.
  virtual Range range() const = 0;
  /// `raw` scaled by the history so far. Throws InputError if it is not finite.
  virtual double scaled(double raw) const = 0;
  /// Adds a raw reward to the history. REQUIRES a finite one.
  virtual void add(double raw) = 0;
  /// Scales `raw` by the history so far, then adds it to the history.
  double scale(double raw) {
    const double result = scaled(raw);
    add(raw);
    return result;
  }

  /// A scale of the same settings without history.
  virtual std::unique_ptr<RewardScale> fresh() const = 0;

  /// As in Policy.
  virtual nlohmann::json settings() const = 0;
  virtual nlohmann::json state() const = 0;
  virtual void restore(const nlohmann::json& state) = 0;
};

}  // namespace gradus
