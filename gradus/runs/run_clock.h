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
      : seconds_before_(seconds),
        steps_before_(steps),
        marked_seconds_(seconds),
        marked_steps_(steps) {}

  /// Seconds of work on the run so far, in all processes.
  double seconds() const {
    return seconds_before_ + std::chrono::duration<double>(Clock::now() - start_).count();
  }
  /// Mean over the time since the clock was started.
  double steps_per_second(std::int64_t steps) const {
    const auto done = static_cast<double>(steps - steps_before_);
    return done / std::max(seconds() - seconds_before_, 1e-9);
  }
  /// The time of an evaluation after `steps`, with the rate since the last one.
  Timing mark(std::int64_t steps) {
    Timing timing{steps, seconds(), Metrics::kNone};
    const auto done = static_cast<double>(steps - marked_steps_);
    if (done > 0) timing.steps_per_second = done / std::max(timing.seconds - marked_seconds_, 1e-9);
    marked_seconds_ = timing.seconds;
    marked_steps_ = steps;
    return timing;
  }

 private:
  using Clock = std::chrono::steady_clock;

  double seconds_before_;
  std::int64_t steps_before_;
  Clock::time_point start_ = Clock::now();
  double marked_seconds_;
  std::int64_t marked_steps_;
};

}  // namespace gradus
