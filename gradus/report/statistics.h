#pragma once

#include <span>

namespace gradus::report {

/// Mean and sample standard deviation (divisor n - 1) of the n values that are not NaN. The mean is
/// NaN if n is 0, the deviation if n is below 2.
struct Spread {
  double mean = 0;
  double deviation = 0;
  int n = 0;
};
Spread spread(std::span<const double> values);

}  // namespace gradus::report
