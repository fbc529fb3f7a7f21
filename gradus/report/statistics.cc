// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "gradus/report/root.h"

namespace gradus::report {
namespace {

// With t = sqrt(v) tan(a), P(|T| < t) = 2 / B(1/2, v/2) * integral from 0 to a of cos^(v-1), which
// is smooth up to any finite t. Simpson's rule.
double inside_of(double t, double freedom) {
  constexpr int kPairs = 64;
  const double width = std::atan(t / std::sqrt(freedom)) / (2 * kPairs);
  const auto height = [&](int i) { return std::pow(std::cos(i * width), freedom - 1); };
  double sum = height(0) + height(2 * kPairs);
  for (int i = 1; i < 2 * kPairs; ++i) sum += (i % 2 == 1 ? 4 : 2) * height(i);
  const double log_beta =
      std::lgamma(0.5) + std::lgamma(freedom / 2) - std::lgamma((freedom + 1) / 2);
  return 2 * std::exp(-log_beta) * sum * width / 3;
}

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<double> known_of(std::span<const double> values) {
  std::vector<double> known;
  std::copy_if(values.begin(), values.end(), std::back_inserter(known),
               [](double value) { return !std::isnan(value); });
  return known;
}

// REQUIRES a sorted list that is not empty.
double quantile(std::span<const double> sorted, double share) {
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto i = static_cast<std::size_t>(position);
  const double above = i + 1 < sorted.size() ? sorted[i + 1] : sorted[i];
  return sorted[i] + (position - static_cast<double>(i)) * (above - sorted[i]);
}

}  // namespace

Spread spread(std::span<const double> values) {
  const std::vector<double> known = known_of(values);
  const int n = static_cast<int>(known.size());
  if (n == 0) return {kNone, kNone, 0};
  const double mean = std::accumulate(known.begin(), known.end(), 0.0) / n;
  if (n == 1) return {mean, kNone, 1};
  double squares = 0;
  for (const double value : known) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / (n - 1)), n};
}

Quartiles quartiles(std::span<const double> values) {
  std::vector<double> sorted = known_of(values);
  if (sorted.empty()) return {kNone, kNone, kNone};
  std::ranges::sort(sorted);
  return {quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)};
}

double student_limit(double freedom, double inside) {
  // Search in log t: it stays in a moderate range for few degrees of freedom as for many.
  const auto missing = [&](double log_t) { return inside - inside_of(std::exp(log_t), freedom); };
  return std::exp(falling_root(missing, 0.5, 0.5));
}

}  // namespace gradus::report
