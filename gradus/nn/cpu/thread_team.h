#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gradus {

/// A fixed set of threads that share out numbered jobs; the caller is one of them. Which thread
/// does which job is open, so jobs write to places of their own.
class ThreadTeam {
 public:
  /// Throws InputError where threads is not in 1..1024, std::runtime_error where the system allows
  /// fewer.
  explicit ThreadTeam(int threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls job(0), ..., job(jobs - 1), each once, and returns when all are done. The first
  /// exception is thrown again here.
  void run(int jobs, const std::function<void(int)>& job);

 private:
  void stop();
  void work();
  void take_jobs();

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable start_;
  std::condition_variable done_;
  const std::function<void(int)>* job_ = nullptr;
  int jobs_ = 0;
  std::atomic<int> next_{0};
  int busy_ = 0;  // workers that have not finished this round
  long round_ = 0;
  bool stopping_ = false;
  std::exception_ptr error_;
};

}  // namespace gradus
