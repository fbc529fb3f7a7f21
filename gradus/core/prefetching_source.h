// SPDX-License-Identifier: Apache-2.0
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

/// Enough for every task of the paper's curricula. Takes 13 MB for the largest batches of repeat
/// copy.
inline constexpr int kDefaultPrefetch = 256;

/// A BatchSource that makes batches ahead on its own thread while the caller trains. The next task
/// is not known until the last reward is settled, so the thread keeps the next batch of each of the
/// likeliest tasks ready. If a batch is not ready, or is still being made, next() makes it itself
/// and never waits for the thread. Since the k-th batch of a task is a pure function, the results
/// do not depend on the thread. One caller at a time.
class PrefetchingSource {
 public:
  /// Keeps at most `capacity` batches ready, at most one per task. If `capacity` is 0 or less there
  /// is no thread.
  PrefetchingSource(BatchSource source, int capacity);
  /// Waits for the thread to finish the batch that it is making, if any.
  ~PrefetchingSource();

  /// Returns the next batch of `task`. Throws what the curriculum throws, even if the thread met
  /// the exception first.
  Batch next(int task);

  /// Tells the thread how likely each task is to be asked for from now on. Until the first call all
  /// tasks count as equally likely. Only the order of the probabilities matters; tasks of
  /// probability 0 are never made ahead. The thread does the O(N) work. REQUIRES one probability
  /// per task.
  void expect(std::vector<double> probabilities);
  /// Whether there is a thread. If not, expect() does nothing.
  bool runs_ahead() const { return worker_.joinable(); }

  /// As in BatchSource. Batches that are ready but not handed out do not count.
  const std::vector<std::uint64_t>& counts() const { return source_.counts(); }
  void restore(std::vector<std::uint64_t> counts);

  /// Number of batches that are ready.
  std::size_t ready();
  /// How many calls of next() found the batch ready, and how many had to make it.
  struct Tally {
    std::uint64_t ready = 0;  ///< the batch was ready
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

  // mutex_ guards the members below, and source_'s counts. A wanted task is in exactly one of
  // queue_ and ready_, or its batch is being made.
  std::mutex mutex_;
  std::condition_variable_any work_to_do_;
  std::optional<std::vector<double>> expected_;  // set by expect(), not yet adopted
  std::unordered_set<int> wanted_;
  std::deque<int> queue_;
  std::unordered_map<int, std::optional<Batch>> ready_;  // nullopt: making it threw
  std::jthread worker_;  // declared last, so that it is joined first
};

}  // namespace gradus
