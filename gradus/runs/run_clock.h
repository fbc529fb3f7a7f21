// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "gradus/runs/metrics.h"
#include "gradus/runs/run_record.h"

namespace gradus {

/// Measures how long the processes of a run have worked on it.
class RunClock {
 public:
  /// Starts now, in a run that has trained `steps` input steps in `seconds`.
  explicit RunClock(double seconds = 0, std::int64_t steps = 0)
      : seconds_before_(seconds), earlier_{seconds, steps}, marked_{seconds, steps} {}

  /// Seconds of work on the run so far, in all processes.
  double seconds() const {
    return seconds_before_ + std::chrono::duration<double>(Clock::now() - start_).count();
  }
  /// Mean over the time since the evaluation before the last one: the rate of a run changes with
  /// the tasks that its policy draws and with the runs beside it.
  double steps_per_second(std::int64_t steps) const { return rate(earlier_, {seconds(), steps}); }
  /// The time of an evaluation after `steps`, with the rate since the last one.
  Timing mark(std::int64_t steps) {
    const Mark now = {seconds(), steps};
    Timing timing{steps, now.seconds, Metrics::kNone};
    if (steps > marked_.steps) timing.steps_per_second = rate(marked_, now);
    earlier_ = marked_;
    marked_ = now;
    return timing;
  }

 private:
  using Clock = std::chrono::steady_clock;

  struct Mark {
    double seconds;
    std::int64_t steps;
  };
  static double rate(const Mark& from, const Mark& to) {
    return static_cast<double>(to.steps - from.steps) / std::max(to.seconds - from.seconds, 1e-9);
  }

  double seconds_before_;
  Clock::time_point start_ = Clock::now();
  Mark earlier_;
  Mark marked_;
};

}  // namespace gradus
