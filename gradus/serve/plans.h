// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gradus/serve/folders.h"

namespace gradus::serve {

/// The runs that sweeps have planned but not started.
class Plans {
 public:
  /// Appends the waiting runs of every sweep that has a run among `runs`. Returns the folders of
  /// these sweeps.
  std::set<std::filesystem::path> add_waiting(std::vector<NamedRun>& runs);

  /// Whether the last add_waiting() has found this run to be waiting.
  bool is_waiting(const std::filesystem::path& run) const { return waiting_.contains(run); }
  /// The steps of a run that is waiting.
  std::int64_t steps_of(const std::filesystem::path& run) const { return waiting_.at(run); }

 private:
  struct Plan {
    std::filesystem::file_time_type written;
    std::map<std::string, std::int64_t> steps;  // of each run, by name
  };
  const Plan* read(const std::filesystem::path& folder);

  std::map<std::filesystem::path, Plan> plans_;            // by folder
  std::map<std::filesystem::path, std::int64_t> waiting_;  // steps by run
};

}  // namespace gradus::serve
