#include "gradus/report/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace gradus::report {
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

}  // namespace gradus::report
