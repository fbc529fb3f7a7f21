// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "gradus/serve/listing.h"

namespace gradus::serve {

/// Keeps a listing up to date while someone watches it. The time that this costs is bounded: the
/// longer a look at the runs takes, the longer is the pause after it.
class Watcher {
 public:
  explicit Watcher(Listing& listing);
  ~Watcher();

  /// Someone who watches. The listing is up to date when this is made.
  class Watch {
   public:
    explicit Watch(Watcher& watcher);
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch();

   private:
    Watcher& watcher_;
  };

  /// Looks at all runs now, from the calling thread.
  void look();

 private:
  using Clock = std::chrono::steady_clock;

  void work(const std::stop_token& stop);

  Listing& listing_;
  std::mutex looking_;
  Clock::time_point next_scan_ = {};  // guarded by looking_
  std::mutex mutex_;
  std::condition_variable_any changed_;
  int watches_ = 0;  // guarded by mutex_
  std::jthread thread_;
};

}  // namespace gradus::serve
