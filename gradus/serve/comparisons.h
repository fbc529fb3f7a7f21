// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "gradus/runs/run_follower.h"

namespace gradus::serve {

/// The documents of reports on selected runs, which grow with the runs. Thread-safe.
class Comparisons {
 public:
  /// As JSON text: `document` is that of report::document_of(), and `current` says whether it is up
  /// to date; one that took long is not made again at once. Runs that cannot be read are left out,
  /// with a note. Throws InputError if the runs cannot be compared, or none can be read.
  std::string document(const std::vector<std::filesystem::path>& runs);

 private:
  using Clock = std::chrono::steady_clock;
  struct Followed {
    RunFollower follower;
    Clock::time_point used;
  };
  struct Made {
    std::vector<std::filesystem::path> runs;
    std::string text;
    Clock::time_point when;
    Clock::duration cost;
  };
  bool refresh(const std::vector<std::filesystem::path>& runs, std::vector<std::string>& notes);
  std::string make(const std::vector<std::filesystem::path>& runs,
                   const std::vector<std::string>& notes);
  void forget_unused();

  std::mutex mutex_;
  std::map<std::filesystem::path, Followed> followed_;
  std::list<Made> made_;  // the latest first
};

}  // namespace gradus::serve
