// SPDX-License-Identifier: Apache-2.0
#include "gradus/serve/watcher.h"

#include <algorithm>

#include "gradus/serve/processor_time.h"

namespace gradus::serve {
namespace {

using Duration = std::chrono::steady_clock::duration;

constexpr std::chrono::seconds kLongestLookPause(10);
constexpr std::chrono::milliseconds kLookPause(500);
constexpr std::chrono::seconds kScanPause(2);

Duration pause_after(Duration cost, Duration shortest) {
  return std::clamp<Duration>(kPauseFactor * cost, shortest, kLongestLookPause);
}

}  // namespace

Watcher::Watcher(Listing& listing)
    : listing_(listing), thread_([this](const std::stop_token& stop) { work(stop); }) {}

Watcher::~Watcher() {
  thread_.request_stop();
}

void Watcher::look() {
  const std::lock_guard lock(looking_);
  if (Clock::now() >= next_scan_) {
    const auto start = processor_time();
    listing_.scan();
    next_scan_ = Clock::now() + pause_after(processor_time() - start, kScanPause);
  }
  listing_.refresh();
}

void Watcher::work(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, stop, [&] { return watches_ > 0; });
    if (stop.stop_requested()) return;
    lock.unlock();
    const auto start = processor_time();
    look();
    const auto pause = pause_after(processor_time() - start, kLookPause);
    lock.lock();
    changed_.wait_for(lock, stop, pause, [] { return false; });
  }
}

Watcher::Watch::Watch(Watcher& watcher) : watcher_(watcher) {
  watcher_.look();
  const std::lock_guard lock(watcher_.mutex_);
  ++watcher_.watches_;
  watcher_.changed_.notify_all();
}

Watcher::Watch::~Watch() {
  const std::lock_guard lock(watcher_.mutex_);
  --watcher_.watches_;
}

}  // namespace gradus::serve
