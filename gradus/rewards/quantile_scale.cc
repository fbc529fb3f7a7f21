// SPDX-License-Identifier: Apache-2.0
#include "gradus/rewards/quantile_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"
#include "gradus/rewards/reservoir.h"

namespace gradus {
namespace {

using nlohmann::json;

class QuantileScale final : public RewardScale {
 public:
  QuantileScale(const QuantileScaleSettings& settings, std::uint64_t seed)
      : settings_(settings), reservoir_(static_cast<std::uint32_t>(settings.reservoir), seed) {}

  Range range() const override {
    if (reservoir_.size() == 0) {
      constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
      return {kNone, kNone};
    }
    return {reservoir_.quantile(settings_.low), reservoir_.quantile(settings_.high)};
  }

  double scaled(double raw) const override {
    if (!std::isfinite(raw)) {
      throw InputError("raw reward is " + to_text(raw) + ", expected a finite number");
    }
    return reservoir_.size() == 0 ? 0.0 : position(raw, range());
  }
  void add(double raw) override { reservoir_.add(raw); }

  std::unique_ptr<RewardScale> fresh() const override {
    return std::make_unique<QuantileScale>(settings_, reservoir_.seed());
  }

  json settings() const override {
    return {{"low", settings_.low}, {"high", settings_.high}, {"reservoir", settings_.reservoir}};
  }
  json state() const override {
    return {{"seen", reservoir_.seen()}, {"values", reservoir_.values()}};
  }
  void restore(const json& state) override {
    const std::uint64_t seen = read_count(state, "seen");
    const std::uint64_t kept = std::min<std::uint64_t>(seen, reservoir_.capacity());
    reservoir_.restore(read_numbers(state, "values", kept), seen);
  }

 private:
  static double position(double raw, Range range) {
    if (raw < range.low) return -1;
    if (raw > range.high) return 1;
    if (range.low == range.high) return 0;
    // The width of a range of huge numbers may overflow; half of it does not.
    const double unit = std::isfinite(range.high - range.low) ? 1 : 0.5;
    const double width = unit * range.high - unit * range.low;
    return 2 * ((unit * raw - unit * range.low) / width) - 1;
  }

  QuantileScaleSettings settings_;
  Reservoir reservoir_;
};

}  // namespace

const std::vector<std::string>& quantile_scale_keys() {
  static const std::vector<std::string> keys = {"low", "high", "reservoir"};
  return keys;
}

QuantileScaleSettings read_quantile_scale_settings(const json& settings) {
  QuantileScaleSettings read;
  const auto refuse = [](const char* key, const json& value, const char* expected) {
    throw InputError(std::string(key) + " is " + value.dump() + ", expected " + expected);
  };
  const auto read_number = [&](const char* key, double& out) {
    const auto found = settings.find(key);
    if (found == settings.end()) return;
    if (!found->is_number()) refuse(key, *found, "a number");
    out = found->get<double>();
  };
  read_number("low", read.low);
  read_number("high", read.high);
  if (const auto found = settings.find("reservoir"); found != settings.end()) {
    if (!found->is_number_integer()) refuse("reservoir", *found, "a whole number");
    read.reservoir = found->get<std::int64_t>();
  }
  return read;
}

std::vector<Setting> settings_of(QuantileScaleSettings& s) {
  return {
      {"reservoir", "number of raw rewards kept for the reward scale", &s.reservoir, {1, 1e8}},
      {"low_quantile", "raw rewards below this quantile become -1", &s.low, {0, 1}},
      {"high_quantile", "raw rewards above this quantile become 1", &s.high, {0, 1}},
  };
}

std::unique_ptr<RewardScale> make_quantile_scale(const QuantileScaleSettings& settings,
                                                 std::uint64_t seed) {
  if (!(settings.low >= 0 && settings.low < settings.high && settings.high <= 1)) {
    throw InputError("reward quantiles are " + to_text(settings.low) + " and " +
                     to_text(settings.high) + ", expected 0 <= low < high <= 1");
  }
  checked(settings);
  return std::make_unique<QuantileScale>(settings, seed);
}

}  // namespace gradus
