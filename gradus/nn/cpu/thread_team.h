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

/// Jobs [first, last) of a thread where neighbours go to the same one.
struct Share {
  int first;
  int last;
};

inline Share share_of(int thread, int threads, int jobs) {
  const auto start = [&](int k) { return static_cast<int>(std::int64_t{jobs} * k / threads); };
  return {start(thread), start(thread + 1)};
}

/// A fixed set of threads that share out numbered jobs; the caller is one of them. Jobs run at the
/// same time, so they write to places of their own.
class ThreadTeam {
 public:
  /// Throws InputError where threads is not in 1..1024, std::runtime_error where the system allows
  /// fewer.
  explicit ThreadTeam(int threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls job(0), ..., job(jobs - 1), each once, and returns when all are done. Which thread does
  /// which job is open. The first exception is thrown again here. Allocates nothing.
  template <typename Job>
  void run(int jobs, const Job& job) {
    run_jobs(jobs, job, false);
  }

  /// The same for jobs <= threads(), with job k always on the same thread, so that what it worked
  /// on before may still be in its processor's cache. All run at once, so they may wait for each
  /// other.
  template <typename Job>
  void run_in_place(int jobs, const Job& job) {
    run_jobs(jobs, job, true);
  }

  /// The same as run() with jobs dealt out in runs of neighbours, each always to the same thread.
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
  bool patient_ = false;  // looks on for a while before it sleeps
  std::atomic<int> next_{0};
  std::atomic<int> busy_{0};  // workers that have not finished this round
  std::atomic<long> round_{0};
  std::atomic<bool> stopping_{false};
  std::exception_ptr error_;
};

}  // namespace gradus
