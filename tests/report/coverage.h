// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "gradus/core/random.h"
#include "gradus/report/root.h"
#include "gradus/report/speed_up.h"

namespace gradus::report {

/// A simulated arm: the deviation of its log steps, and the share of its runs that do not reach the
/// threshold within their budget of steps.
struct MadeUpArm {
  int runs = 0;
  double deviation = 1;
  double falls_short = 0;
};

struct MadeUpPair {
  MadeUpArm baseline;
  MadeUpArm arm;
  bool skewed = false;     ///< log steps follow a gamma of shape 4 (skewness 1), not a normal
  bool staggered = false;  ///< the budgets of runs differ by up to half a deviation each way
};

/// How many of the simulated pairs had an interval, and how many intervals contain the true ratio.
struct Coverage {
  int intervals = 0;
  int covered = 0;
  double share() const { return static_cast<double>(covered) / intervals; }
};

/// Cumulative distribution of the standardised log steps.
inline double made_up_share(double x, bool skewed) {
  if (!skewed) return std::erfc(-x / std::numbers::sqrt2) / 2;
  const double y = std::max(2 * x + 4, 0.0);
  return 1 - std::exp(-y) * (1 + y + y * y / 2 + y * y * y / 6);
}

inline double made_up_log(bool skewed, Random& random) {
  if (!skewed) return random.normal();
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum -= std::log(1 - random.uniform());
  return (sum - 4) / 2;
}

inline std::vector<Reach> made_up_reaches(const MadeUpArm& arm, double mean, const MadeUpPair& pair,
                                          Random& random) {
  double budget = HUGE_VAL;
  if (arm.falls_short > 0) {
    budget = falling_root(
        [&](double x) { return 1 - arm.falls_short - made_up_share(x, pair.skewed); }, 0, 0.5);
  }
  std::vector<Reach> reaches;
  for (int i = 0; i < arm.runs; ++i) {
    const double needed = made_up_log(pair.skewed, random);
    const double done = budget + (pair.staggered ? random.uniform() - 0.5 : 0);
    reaches.push_back({std::exp(mean + arm.deviation * std::min(needed, done)), needed <= done});
  }
  return reaches;
}

/// Simulates pairs in which the baseline needs e times as many steps as the arm.
inline Coverage simulate_coverage(const MadeUpPair& pair, int simulations) {
  Coverage result;
  for (int i = 0; i < simulations; ++i) {
    Random random(1, Purpose::kSample, static_cast<std::uint64_t>(i));
    const Arm baseline(made_up_reaches(pair.baseline, 11, pair, random));
    const Arm arm(made_up_reaches(pair.arm, 10, pair, random));
    const auto interval = speed_up(baseline, arm).interval;
    if (!interval) continue;
    ++result.intervals;
    const bool covered = interval->low <= std::numbers::e && std::numbers::e <= interval->high;
    result.covered += covered ? 1 : 0;
  }
  return result;
}

}  // namespace gradus::report
