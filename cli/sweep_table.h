#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "gradus/runs/sweep.h"

namespace gradus::cli {

/// The runs of a sweep on stderr: on a terminal a table that rewrites itself, as tall as the screen
/// allows; otherwise a line whenever a run begins or ends, and now and then how far all have come.
class SweepTable {
 public:
  explicit SweepTable(bool quiet);
  void show(const std::vector<RunStatus>& runs);
  /// The table for the last time, with all runs in it.
  void finish(const std::vector<RunStatus>& runs);

 private:
  using Clock = std::chrono::steady_clock;

  void redraw(const std::vector<std::string>& lines);
  void tell_changes(const std::vector<RunStatus>& runs);

  bool quiet_;
  bool terminal_;
  std::size_t lines_shown_ = 0;
  std::vector<RunState> last_states_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_summary_ = start_;
};

}  // namespace gradus::cli
