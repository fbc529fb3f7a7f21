// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "gradus/runs/sweep.h"

namespace gradus::cli {

/// Shows the runs of a sweep on stderr. On a terminal: a table that is rewritten in place, at most
/// as tall as the screen. Otherwise: a line whenever a run starts or ends, and a summary every 30
/// seconds.
class SweepTable {
 public:
  explicit SweepTable(bool quiet);
  void show(const std::vector<RunStatus>& runs);
  /// Shows the table one last time, with all runs.
  void finish(const std::vector<RunStatus>& runs);

 private:
  using Clock = std::chrono::steady_clock;

  void redraw(const std::vector<std::string>& lines);
  void tell_changes(const std::vector<RunStatus>& runs);

  bool quiet_;
  bool terminal_;
  std::size_t lines_shown_ = 0;
  bool below_message_ = false;
  std::vector<RunState> last_states_;
  std::vector<std::string> last_warnings_;
  Clock::time_point last_summary_ = Clock::now();
};

}  // namespace gradus::cli
