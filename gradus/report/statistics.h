#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gradus::report {

/// Mean and sample standard deviation (divisor n - 1) of the numbers that are not NaN. The mean is
/// NaN where there are none, the deviation where there are fewer than two.
struct Spread {
  double mean = 0;
  double deviation = 0;
  int n = 0;
};
Spread spread(std::span<const double> values);

/// The q-quantile with linear interpolation between order statistics, at position q * (n - 1).
/// REQUIRES values not empty.
double quantile(std::vector<double> values, double q);

struct Interval {
  double low = 0;
  double high = 0;
};

/// Percentile bootstrap interval of 95% for mean(numerator) / mean(denominator): each of 10,000
/// times both lists are drawn again from themselves, with replacement and independently. The same
/// lists and stream give the same interval. REQUIRES both lists not empty.
Interval bootstrap_ratio(std::span<const double> numerator, std::span<const double> denominator,
                         std::uint64_t stream);

}  // namespace gradus::report
