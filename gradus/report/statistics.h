// SPDX-License-Identifier: Apache-2.0
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

/// Median and quartiles of the values that are not NaN, interpolated linearly between two values;
/// NaN if there are none.
struct Quartiles {
  double low = 0;
  double median = 0;
  double high = 0;
};
Quartiles quartiles(std::span<const double> values);

/// The t for which a Student variable with `freedom` degrees of freedom (not necessarily whole)
/// lies in [-t, t] with probability `inside`: 4.303 for 2 and 0.95. Accurate to seven digits.
/// REQUIRES freedom >= 1, 0 < inside < 1.
double student_limit(double freedom, double inside);

}  // namespace gradus::report
