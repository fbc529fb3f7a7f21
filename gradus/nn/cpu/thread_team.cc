#include "gradus/nn/cpu/thread_team.h"

#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "gradus/core/error.h"

namespace gradus {
namespace {

// Some tens of microseconds: the gaps between the stages of an update, which a sleep and a wake
// would double.
constexpr int kSpins = 20'000;

}  // namespace

ThreadTeam::ThreadTeam(int threads) {
  if (threads < 1 || threads > 1024) {
    throw InputError("threads is " + std::to_string(threads) + ", expected 1..1024");
  }
  // A thread that looks on keeps another from a processor where there are too few.
  if (static_cast<unsigned>(threads) <= std::thread::hardware_concurrency()) spins_ = kSpins;
  try {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
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
  for (int i = 0; i < spins_; ++i) {
    if (ready()) return;
  }
  std::unique_lock lock(mutex_);
  signal.wait(lock, ready);
}

void ThreadTeam::share_out(int jobs, Call call, const void* job) {
  {
    const std::lock_guard lock(mutex_);
    call_ = call;
    job_ = job;
    jobs_ = jobs;
    next_ = 0;
    busy_ = static_cast<int>(workers_.size());
    ++round_;
  }
  start_.notify_all();
  take_jobs();
  wait_for(done_, [this] { return busy_ == 0; });
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void ThreadTeam::work() {
  long seen = 0;
  while (true) {
    wait_for(start_, [&] { return stopping_ || round_ != seen; });
    if (stopping_) return;
    seen = round_;
    take_jobs();
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

void ThreadTeam::take_jobs() {
  try {
    for (int i = next_++; i < jobs_; i = next_++) call_(job_, i);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    next_ = jobs_;
  }
}

}  // namespace gradus
