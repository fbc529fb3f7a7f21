#pragma once

#include <span>

namespace gradus::report {

/// Mean and sample standard deviation (divisor n - 1) of the numbers that are not NaN. The mean is
/// NaN where there are none, the deviation where there are fewer than two.
struct Spread {
  double mean = 0;
  double deviation = 0;
  int n = 0;
};
Spread spread(std::span<const double> values);

}  // namespace gradus::report
