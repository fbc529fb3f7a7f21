// SPDX-License-Identifier: Apache-2.0
// With z = p (log steps - m), the log-likelihood of a mean m and a precision p = 1/deviation is
//   l(m, p) = sum over reached of (log p - z^2 / 2) + sum over others of log(1 - Phi(z)).
// W(m) = 2 (max l - max over p of l(m, p)) measures how badly m fits. If all runs reached the
// threshold, W(m) = n log(1 + T^2 / (n - 1)) with Student's T = (mean - m) / (s / sqrt(n)). If some
// did not, T is computed from W by the same formula; docs/report.md has its simulated coverage. l
// is concave in p and p m, so every m has one best p, and W grows on both sides of the estimate.

#include "gradus/report/arm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "gradus/report/root.h"
#include "gradus/report/statistics.h"

namespace gradus::report {
namespace {

// log(1 - Phi(z)). Uses the asymptotic series before erfc underflows.
double log_beyond(double z) {
  if (z < 25) return std::log(std::erfc(z / std::numbers::sqrt2) / 2);
  const double square = z * z;
  return -square / 2 - std::log(z * std::sqrt(2 * std::numbers::pi)) +
         std::log1p(-1 / square + 3 / (square * square));
}

// phi(z) / (1 - Phi(z)), the negative derivative of log_beyond().
double hazard(double z) {
  return std::exp(-z * z / 2 - log_beyond(z)) / std::sqrt(2 * std::numbers::pi);
}

}  // namespace

Arm::Arm(std::span<const Reach> runs) {
  std::vector<double> all;
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const Reach& run : runs) {
    if (!run.reached && run.steps == 0) continue;
    const double value = std::log(run.steps);
    logs_.push_back({value, run.reached});
    all.push_back(value);
    if (!run.reached) continue;
    ++reached_;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  const Spread logs = spread(all);
  centre_ = logs.mean;
  variance_ = logs.deviation * logs.deviation / logs.n;
  if (all_reached()) {
    has_estimate_ = std::isfinite(centre_);
  } else if (this->runs() >= kFewestRuns && std::isfinite(least) && least < most) {
    has_estimate_ = true;
    estimate();
  }
}

// The precision that fits `mean` best.
double Arm::best_precision(double mean) const {
  double squares = 0;
  for (const Log& log : logs_) {
    if (log.reached) squares += (log.value - mean) * (log.value - mean);
  }
  const auto slope_in_log = [&](double log_precision) {
    const double precision = std::exp(log_precision);
    double slope = reached_ - precision * precision * squares;
    for (const Log& log : logs_) {
      const double z = precision * (log.value - mean);
      if (!log.reached) slope -= z * hazard(z);
    }
    return slope;
  };
  return std::exp(falling_root(slope_in_log, std::log(reached_ / squares) / 2, 0.25));
}

double Arm::log_likelihood(double mean) const {
  const double precision = best_precision(mean);
  double sum = 0;
  for (const Log& log : logs_) {
    const double z = precision * (log.value - mean);
    sum += log.reached ? std::log(precision) - z * z / 2 : log_beyond(z);
  }
  return sum;
}

// Derivative of log_likelihood() divided by the precision.
double Arm::slope(double mean) const {
  const double precision = best_precision(mean);
  double sum = 0;
  for (const Log& log : logs_) {
    const double z = precision * (log.value - mean);
    sum += log.reached ? z : hazard(z);
  }
  return sum;
}

void Arm::estimate() {
  const double deviation = std::sqrt(variance_ * runs());
  centre_ = falling_root([&](double mean) { return slope(mean); }, centre_, deviation / 2);
  variance_ = variance_of_estimate() * runs() / (runs() - 1);
}

// From the curvature of the likelihood at its maximum, with the precision fitted as well.
double Arm::variance_of_estimate() const {
  const double precision = best_precision(centre_);
  double mean_mean = 0;
  double mean_log = 0;
  double log_log = 0;
  for (const Log& log : logs_) {
    const double z = precision * (log.value - centre_);
    const double h = log.reached ? z : hazard(z);
    const double steepness = log.reached ? 1 : h * (h - z);
    mean_mean += steepness;
    mean_log += z * steepness + h;
    log_log += z * z * steepness + z * h;
  }
  return 1 / (precision * precision * (mean_mean - mean_log * mean_log / log_log));
}

double Arm::distance(double t, int direction) const {
  const double wald = t * std::sqrt(variance_);
  if (all_reached()) return wald;
  const double n = runs();
  const double allowed = n * std::log1p(t * t / (n - 1));
  const double best = log_likelihood(centre_);
  const auto left = [&](double log_distance) {
    const double mean = centre_ + direction * std::exp(log_distance);
    return allowed - 2 * (best - log_likelihood(mean));
  };
  return std::exp(falling_root(left, std::log(wald), 0.25));
}

}  // namespace gradus::report
