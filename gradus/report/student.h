#pragma once

namespace gradus::report {

/// The t that a Student variable of `freedom` degrees of freedom, whole or not, stays within, on
/// both sides of 0, with probability `inside`: 4.303 for 2 and 0.95. Good to seven digits. REQUIRES
/// freedom >= 1, 0 < inside < 1.
double student_limit(double freedom, double inside);

}  // namespace gradus::report
