// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gradus/runs/run_follower.h"
#include "gradus/serve/folders.h"
#include "gradus/serve/plans.h"

namespace gradus::serve {

/// All runs below the folders with their latest numbers. Every run has a number of its own, which
/// never changes. Thread-safe.
class Listing {
 public:
  explicit Listing(const Folders& folders) : folders_(folders) {}

  /// Looks for new runs, and for those that are gone.
  void scan();
  /// Reads what is new in all runs.
  void refresh();

  /// The version of the listing; it grows with every change.
  std::int64_t version() const;
  /// Waits until the version is not `seen`, or wake() is called, at most `most`.
  void wait_for_change(std::int64_t seen, std::chrono::milliseconds most) const;
  /// Lets wait_for_change() return at once, now and from now on.
  void wake();

  /// What has changed since a version, 0 for everything: `version`, `runs` and `gone`.
  /// docs/serve.md lists the fields of a run.
  nlohmann::ordered_json changes(std::int64_t since) const;

  /// The path of a run. Throws InputError if there is no run with this number.
  std::filesystem::path path_of(std::int64_t number) const;

 private:
  struct Entry {
    std::int64_t number;
    RunFollower follower;
    bool in_sweep = false;
    nlohmann::ordered_json row = nullptr;
    std::int64_t changed = 0;  // version
  };
  void read(const std::string& name, Entry& entry, std::int64_t version);

  const Folders& folders_;
  Plans plans_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::map<std::string, Entry> entries_;          // by name
  std::map<std::int64_t, std::int64_t> removed_;  // version of the removal, by number
  std::int64_t version_ = 1;
  bool awake_ = false;
  std::int64_t next_number_ = 0;
};

}  // namespace gradus::serve
