#include "gradus/report/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gradus/core/random.h"

namespace gradus::report {
namespace {

constexpr int kResamples = 10'000;
constexpr double kTail = 0.025;
constexpr std::uint64_t kSeed = 1;

double resampled_mean(std::span<const double> values, Random& random) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += values[random.below(static_cast<std::uint32_t>(values.size()))];
  }
  return sum / static_cast<double>(values.size());
}

}  // namespace

Spread spread(std::span<const double> values) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> known;
  std::copy_if(values.begin(), values.end(), std::back_inserter(known),
               [](double value) { return !std::isnan(value); });
  const int n = static_cast<int>(known.size());
  if (n == 0) return {kNone, kNone, 0};
  const double mean = std::accumulate(known.begin(), known.end(), 0.0) / n;
  if (n == 1) return {mean, kNone, 1};
  double squares = 0;
  for (const double value : known) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / (n - 1)), n};
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const double position = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (position - static_cast<double>(below)) * (values[above] - values[below]);
}

Interval bootstrap_ratio(std::span<const double> numerator, std::span<const double> denominator,
                         std::uint64_t stream) {
  Random random(kSeed, Purpose::kResampling, stream);
  std::vector<double> ratios(kResamples);
  for (double& ratio : ratios) {
    const double top = resampled_mean(numerator, random);
    ratio = top / resampled_mean(denominator, random);
  }
  return {quantile(ratios, kTail), quantile(ratios, 1 - kTail)};
}

}  // namespace gradus::report
