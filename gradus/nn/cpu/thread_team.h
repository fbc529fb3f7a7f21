// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gradus {

/// Consecutive jobs [first, last) that one thread runs.
struct Share {
  int first;
  int last;
};

inline Share share_of(int thread, int threads, int jobs) {
  const auto start = [&](int k) { return static_cast<int>(std::int64_t{jobs} * k / threads); };
  return {start(thread), start(thread + 1)};
}

/// A fixed set of threads that share numbered jobs. The calling thread is one of them. Jobs run
/// concurrently, so each must write to its own memory.
class ThreadTeam {
 public:
  /// Throws InputError if threads is not in 1..1024, std::runtime_error if the system allows fewer
  /// threads.
  explicit ThreadTeam(int threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls job(0), ..., job(jobs - 1), each once, and returns when all are done. Which thread runs
  /// which job is unspecified. If a job throws, rethrows the first exception, and jobs that have
  /// not started may be skipped. Allocates nothing.
  template <typename Job>
  void run(int jobs, const Job& job) {
    run_jobs(jobs, job, false);
  }

  /// Like run(), for jobs <= threads(). Job k always runs on the same thread, so its data may still
  /// be in that core's cache. All jobs run at the same time, so they may wait for each other.
  template <typename Job>
  void run_in_place(int jobs, const Job& job) {
    run_jobs(jobs, job, true);
  }

  /// Like run(), but each thread always gets the same contiguous range of jobs.
  template <typename Job>
  void run_shares(int jobs, const Job& job) {
    const int shares = std::min(jobs, threads());
    run_in_place(shares, [&](int thread) {
      const Share share = share_of(thread, shares, jobs);
      for (int i = share.first; i < share.last; ++i) job(i);
    });
  }

 private:
  using Call = void (*)(const void* job, int number);

  template <typename Job>
  void run_jobs(int jobs, const Job& job, bool in_place) {
    if (workers_.empty() || jobs <= 1) {
      for (int i = 0; i < jobs; ++i) job(i);
      return;
    }
    share_out(
        jobs, in_place, [](const void* of, int i) { (*static_cast<const Job*>(of))(i); }, &job);
  }

  void share_out(int jobs, bool in_place, Call call, const void* job);
  void stop();
  void work(int thread);
  void take_jobs(int thread);
  template <typename Ready>
  void wait_for(std::condition_variable& signal, Ready ready);

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable start_;
  std::condition_variable done_;
  Call call_ = nullptr;
  const void* job_ = nullptr;
  int jobs_ = 0;
  bool in_place_ = false;
  bool patient_ = false;  // spin for a while before blocking
  std::atomic<int> next_{0};
  std::atomic<int> busy_{0};  // workers that have not finished this round
  std::atomic<long> round_{0};
  std::atomic<bool> stopping_{false};
  std::exception_ptr error_;
};

}  // namespace gradus
