#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "gradus/runs/runner.h"

namespace gradus::cli {

/// The progress of a run on stderr: a line that rewrites itself on a terminal, plain lines at most
/// every few seconds otherwise, nothing when quiet.
class Progress {
 public:
  /// Of `runner`, which must outlive this and stands where this process begins.
  Progress(const Runner& runner, bool quiet);

  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Whether enough time has passed since the last show().
  bool due() const;
  /// Shows the state of the run; `metrics` are those of the last evaluation.
  void show(const Metrics& metrics);
  /// Ends the line, so that what follows starts on one of its own.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  std::string line(const Metrics& metrics, double seconds) const;

  const Runner& runner_;
  std::int64_t first_step_;
  bool quiet_;
  bool terminal_;
  bool open_ = false;  // a line is on the terminal and not ended
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_ - std::chrono::hours(1);
};

}  // namespace gradus::cli
