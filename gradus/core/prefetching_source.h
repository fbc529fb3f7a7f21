#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "gradus/core/batch_source.h"

namespace gradus {

/// Enough for every task of the paper's curricula; 13 MB where a batch is the largest of repeat
/// copy.
inline constexpr int kDefaultPrefetch = 256;

/// A BatchSource whose next batches are made ahead by a thread of its own, while the caller trains.
/// Which task comes next is only known once the last reward is settled, so the thread keeps the
/// next batch of each of the likeliest tasks ready; a batch that is not ready, or is just being
/// made, is made by next() itself, which so never waits for a thread that has no core to run on.
/// Since the k-th batch of a task is a pure function, what next() returns does not depend on the
/// thread in any way. One caller at a time.
class PrefetchingSource {
 public:
  /// Keeps at most `capacity` batches ready, one a task; 0 is for a plain source without a thread.
  PrefetchingSource(BatchSource source, int capacity);
  /// Waits for the batch being made, where there is one.
  ~PrefetchingSource();

  /// The next batch of `task`. An exception of the curriculum comes out here, whoever met it first.
  Batch next(int task);

  /// Says how likely each task is to be asked for from now on; until the first call all are taken
  /// for equally likely. Only the order matters, and tasks of probability 0 are never made ahead.
  /// The O(N) work is the thread's. REQUIRES one probability a task.
  void expect(std::vector<double> probabilities);
  /// Whether expect() has any effect.
  bool runs_ahead() const { return worker_.joinable(); }

  /// As for BatchSource: what is ready but not handed out does not count.
  const std::vector<std::uint64_t>& counts() const { return source_.counts(); }
  void restore(std::vector<std::uint64_t> counts);

  /// Batches made and not yet handed out.
  std::size_t ready();
  /// How the calls of next() went.
  struct Tally {
    std::uint64_t ready = 0;  ///< the batch was there
    std::uint64_t made = 0;   ///< next() made it
  };
  const Tally& tally() const { return tally_; }

 private:
  using Lock = std::unique_lock<std::mutex>;
  void work(const std::stop_token& stop);
  void adopt_expectations(Lock& lock);
  void make_one(Lock& lock);
  std::optional<Batch> take_ready(int task);

  BatchSource source_;
  std::size_t capacity_;
  Tally tally_;

  // The mutex guards what follows, and source_'s counts against the thread. A wanted task is in
  // exactly one of queue_ and ready_, or being made.
  std::mutex mutex_;
  std::condition_variable_any work_to_do_;
  std::optional<std::vector<double>> expected_;  // handed over, not yet looked at
  std::unordered_set<int> wanted_;
  std::deque<int> queue_;
  std::unordered_map<int, std::optional<Batch>> ready_;  // nullopt: making it threw
  std::jthread worker_;  // last, so that it is joined before the rest goes
};

}  // namespace gradus
