// SPDX-License-Identifier: Apache-2.0
#include "gradus/policies/ucb.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gradus/core/error.h"

namespace gradus {
namespace {

constexpr double kRange = 2;  // B
constexpr double kXi = 0.5;

}  // namespace

std::vector<double> largest_index(std::span<const double> counts, std::span<const double> sums,
                                  const Prior& prior) {
  const double n = std::max(1.0, std::accumulate(counts.begin(), counts.end(), 0.0));
  const double bonus = kRange * std::sqrt(kXi * std::log(n));
  std::vector<double> index(counts.size());
  for (std::size_t i = 0; i < index.size(); ++i) {
    const double relative = prior.relative(static_cast<int>(i));
    index[i] = counts[i] > 0 ? sums[i] / counts[i] + bonus / std::sqrt(counts[i] / relative)
                             : std::numeric_limits<double>::infinity();
  }
  const double largest = *std::max_element(index.begin(), index.end());
  for (double& entry : index) entry = entry == largest ? 1 : 0;
  return index;
}

void check_exploration(double epsilon) {
  if (epsilon > 0 && epsilon <= 1) return;
  throw InputError("epsilon is " + to_text(epsilon) + ", expected a number above 0, at most 1");
}

}  // namespace gradus
