// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <stdexcept>

namespace gradus::report {

/// The root of a function that crosses zero once: it is positive to the left of the root and
/// negative to the right. Moves from `start` in doubling steps, beginning with `step`, until it has
/// passed the root, then applies false position (Illinois). Accurate to about 12 digits. Throws
/// std::runtime_error if 100 steps do not pass the root.
template <typename Function>
double falling_root(Function f, double start, double step) {
  double near = start;
  double at_near = f(near);
  if (at_near == 0) return near;
  double far = near;
  double at_far = at_near;
  for (int i = 0; (at_far > 0) == (at_near > 0); ++i, step *= 2) {
    if (i == 100) throw std::runtime_error("no root was found within 100 doublings of the step");
    near = far;
    at_near = at_far;
    far = near + (at_near > 0 ? step : -step);
    at_far = f(far);
  }
  for (int i = 0; i < 200 && std::abs(far - near) > 1e-12 * (1 + std::abs(far)); ++i) {
    const double middle = far - at_far * (far - near) / (at_far - at_near);
    const double at_middle = f(middle);
    if (at_middle == 0) return middle;
    if ((at_middle > 0) == (at_far > 0)) {
      at_near /= 2;  // this end has not moved: halve its value, so that it will
    } else {
      near = far;
      at_near = at_far;
    }
    far = middle;
    at_far = at_middle;
  }
  return far;
}

}  // namespace gradus::report
