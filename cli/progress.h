// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "gradus/runs/runner.h"

namespace gradus::cli {

/// Progress of a run on stderr: one line that is rewritten on a terminal, otherwise one line every
/// few seconds. Nothing if quiet.
class Progress {
 public:
  /// `runner` must outlive this. Speed is measured from its steps at construction.
  Progress(const Runner& runner, bool quiet);

  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Whether enough time has passed since the last show().
  bool due() const;
  /// Shows the state of the run. `metrics` are those of the last evaluation.
  void show(const Metrics& metrics);
  /// Ends the line, so that later output starts on a new line.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  std::string line(const Metrics& metrics, double seconds) const;
  double training_loss(const Metrics& metrics) const;

  const Runner& runner_;
  std::int64_t first_step_;
  bool quiet_;
  bool terminal_;
  bool open_ = false;  // whether the line on the terminal has not been ended yet
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_ - std::chrono::hours(1);
};

}  // namespace gradus::cli
