// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gradus/core/curriculum.h"

namespace gradus {

/// Hands out batches of one curriculum for one purpose. The k-th batch of a task is a pure function
/// of (seed, purpose, task, k): it does not depend on the order of the calls or on the caller. The
/// curriculum must outlive the source.
class BatchSource {
 public:
  BatchSource(const Curriculum& curriculum, Purpose purpose, Split split, int batch_size,
              std::uint64_t seed);

  /// Returns the next batch of `task`.
  Batch next(int task) { return make(task, count_one(task)); }

  /// next() in two steps. count_one() counts a batch as handed out and returns its number k.
  /// make() makes the k-th batch of a task; any number of threads may call it at once.
  std::uint64_t count_one(int task) { return counts_.at(task)++; }
  Batch make(int task, std::uint64_t k) const;

  /// Number of batches handed out so far, by task. This is the whole state of a source.
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  /// REQUIRES one count per task; throws std::logic_error otherwise.
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
