// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gradus/core/random.h"

namespace gradus {

/// A slow and simple version of the reward scale of the paper's section 2.3: the sample is a list
/// that is sorted for every quantile. It uses the random numbers that Reservoir promises: the
/// stream of purpose kReservoir whose index is the number of rewards so far, including this one.
class SlowScale {
 public:
  SlowScale(double low, double high, std::size_t capacity, std::uint64_t seed)
      : low_(low), high_(high), capacity_(capacity), seed_(seed) {}

  long double quantile(long double p) const {
    std::vector<double> sorted = sample_;
    std::sort(sorted.begin(), sorted.end());
    const long double position = p * (sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    if (below + 1 == sorted.size()) return sorted.back();
    const long double part = position - below;
    return (1 - part) * sorted[below] + part * sorted[below + 1];
  }

  double scale(double raw) {
    const double scaled = sample_.empty() ? 0 : static_cast<double>(clipped(raw));
    add(raw);
    return scaled;
  }

 private:
  long double clipped(double raw) const {
    const long double low = quantile(low_);
    const long double high = quantile(high_);
    if (low == high) return raw == low ? 0 : (raw < low ? -1 : 1);
    const long double inside = std::clamp<long double>(raw, low, high);
    return 2 * (inside - low) / (high - low) - 1;
  }

  void add(double raw) {
    ++seen_;
    if (sample_.size() < capacity_) {
      sample_.push_back(raw);
      return;
    }
    const double place = Random(seed_, Purpose::kReservoir, seen_).uniform() * seen_;
    if (place < capacity_) sample_[static_cast<std::size_t>(place)] = raw;
  }

  double low_;
  double high_;
  std::size_t capacity_;
  std::uint64_t seed_;
  double seen_ = 0;
  std::vector<double> sample_;
};

}  // namespace gradus
