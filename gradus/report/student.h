#pragma once

namespace gradus::report {

/// The t for which a Student variable with `freedom` degrees of freedom (not necessarily whole)
/// lies in [-t, t] with probability `inside`: 4.303 for 2 and 0.95. Accurate to seven digits.
/// REQUIRES freedom >= 1, 0 < inside < 1.
double student_limit(double freedom, double inside);

}  // namespace gradus::report
