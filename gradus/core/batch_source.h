#pragma once

#include <cstdint>
#include <vector>

#include "gradus/core/curriculum.h"

namespace gradus {

/// Hands out one curriculum's batches for one purpose. The k-th batch of a task is a pure function
/// of (seed, purpose, task, k): it does not depend on the order in which tasks are asked for, nor
/// on who asks. The curriculum must outlive it.
class BatchSource {
 public:
  BatchSource(const Curriculum& curriculum, Purpose purpose, Split split, int batch_size,
              std::uint64_t seed);

  /// The next batch of `task`.
  Batch next(int task) { return make(task, count_one(task)); }

  /// The two halves of next(): counts a batch as handed out and returns its number k, and makes the
  /// k-th batch of a task, which any number of threads may do at once.
  std::uint64_t count_one(int task) { return counts_.at(task)++; }
  Batch make(int task, std::uint64_t k) const;

  /// Batches handed out so far, by task: all there is to save and restore.
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  /// REQUIRES one count a task.
  void restore(std::vector<std::uint64_t> counts);

 private:
  const Curriculum& curriculum_;
  Purpose purpose_;
  Split split_;
  int batch_size_;
  std::uint64_t seed_;
  std::vector<std::uint64_t> counts_;
};

}  // namespace gradus
