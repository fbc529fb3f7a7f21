#pragma once

#include <chrono>
#include <cstdint>

#include "gradus/runs/runner.h"

namespace gradus::cli {

/// The progress of a run on stderr: a line that rewrites itself on a terminal, plain lines at most
/// every few seconds otherwise, nothing when quiet.
class Progress {
 public:
  Progress(std::int64_t total_steps, bool quiet);

  /// Shows the state of the run if enough time has passed, or always when `important`.
  void show(const Metrics& metrics, std::int64_t steps, double entropy, bool important);
  /// Ends the line.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  std::int64_t total_steps_;
  bool quiet_;
  bool terminal_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_ - std::chrono::hours(1);
};

}  // namespace gradus::cli
