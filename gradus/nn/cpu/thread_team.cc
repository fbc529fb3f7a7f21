// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/thread_team.h"

#include <chrono>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "gradus/core/error.h"

namespace gradus {
namespace {

// How long a thread spins before it blocks: longer than the caller works alone between two stages
// of an update. Waking a blocked thread can take a third of a millisecond on a virtual machine.
constexpr std::chrono::milliseconds kPatience{2};

}  // namespace

ThreadTeam::ThreadTeam(int threads) {
  if (threads < 1 || threads > 1024) {
    throw InputError("threads is " + std::to_string(threads) + ", expected 1..1024");
  }
  // Don't spin if threads outnumber cores.
  patient_ = static_cast<unsigned>(threads) <= std::thread::hardware_concurrency();
  try {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work(i); });
  } catch (const std::system_error& error) {
    const std::string started = std::to_string(workers_.size() + 1);
    stop();
    throw std::runtime_error("the system allows " + started + " of " + std::to_string(threads) +
                             " threads: " + error.what());
  }
}

ThreadTeam::~ThreadTeam() {
  stop();
}

void ThreadTeam::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  start_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

template <typename Ready>
void ThreadTeam::wait_for(std::condition_variable& signal, Ready ready) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (patient_ && std::chrono::steady_clock::now() < until) {
    for (int looks = 0; looks < 256; ++looks) {
      if (ready()) return;
    }
    std::this_thread::yield();
  }
  std::unique_lock lock(mutex_);
  signal.wait(lock, ready);
}

void ThreadTeam::share_out(int jobs, bool in_place, Call call, const void* job) {
  {
    const std::lock_guard lock(mutex_);
    call_ = call;
    job_ = job;
    jobs_ = jobs;
    in_place_ = in_place;
    next_ = 0;
    busy_ = static_cast<int>(workers_.size());
    ++round_;
  }
  start_.notify_all();
  take_jobs(0);
  wait_for(done_, [this] { return busy_ == 0; });
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void ThreadTeam::work(int thread) {
  long seen = 0;
  while (true) {
    wait_for(start_, [&] { return stopping_ || round_ != seen; });
    if (stopping_) return;
    seen = round_;
    take_jobs(thread);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

void ThreadTeam::take_jobs(int thread) {
  try {
    if (in_place_) {
      if (thread < jobs_) call_(job_, thread);
      return;
    }
    for (int i = next_++; i < jobs_; i = next_++) call_(job_, i);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    next_ = jobs_;
  }
}

}  // namespace gradus
