#pragma once

#include <chrono>
#include <cstdint>

#include "gradus/runs/runner.h"

namespace gradus::cli {

/// The progress of a run on stderr: a line that rewrites itself on a terminal, plain lines at most
/// every few seconds otherwise, nothing when quiet.
class Progress {
 public:
  /// `first_step` is where this process begins.
  Progress(std::int64_t total_steps, std::int64_t first_step, bool quiet);

  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Whether enough time has passed since the last show().
  bool due() const;
  /// Shows the state of the run; the losses are those of the last evaluation.
  void show(const Metrics& metrics, std::int64_t steps, double entropy);
  /// Ends the line, so that what follows starts on one of its own.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  std::int64_t total_steps_;
  std::int64_t first_step_;
  bool quiet_;
  bool terminal_;
  bool open_ = false;  // a line is on the terminal and not ended
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_ - std::chrono::hours(1);
};

}  // namespace gradus::cli
