// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>

#include "gradus/nn/cpu/fast/panels.h"

namespace gradus::fast {

/// How workers share the steps of a batch. Worker w takes quad w % row_groups of sequences and
/// every row_groups-th quad after it. If there are enough sequences to keep all workers busy,
/// unit_groups is 1 and workers never wait for each other. Otherwise unit_groups workers share the
/// same sequences: each computes its own blocks of units, with a barrier after every step.
struct Split {
  int row_groups = 1;
  int unit_groups = 1;

  int workers() const { return row_groups * unit_groups; }
  int row_group(int worker) const { return worker % row_groups; }
  int unit_group(int worker) const { return worker / row_groups; }
  /// first_row(): a worker's first sequence. rows(): how many of the first `sequences` are its own.
  int first_row(int worker) const { return row_group(worker) * kQuad; }
  int rows(int worker, int sequences) const {
    const int round = kQuad * row_groups;
    return sequences / round * kQuad + std::clamp(sequences % round - first_row(worker), 0, kQuad);
  }
  int first_block(int worker, int blocks) const {
    return unit_group(worker) * blocks / unit_groups;
  }
  int last_block(int worker, int blocks) const {
    return (unit_group(worker) + 1) * blocks / unit_groups;
  }
};

/// Returns the split that gives the busiest worker the least work. Among equal splits, prefers
/// fewer barriers. A worker takes whole quads, because fewer sequences make poor use of a loaded
/// weight.
inline Split split_for(int threads, int sequences, int blocks) {
  const auto share = [](int whole, int parts) { return (whole + parts - 1) / parts; };
  const int quads = share(sequences, kQuad);
  Split best;
  int least = std::numeric_limits<int>::max();
  for (int rows = threads; rows >= 1; --rows) {
    if (rows > quads) continue;
    const int units = std::min(threads / rows, blocks);
    const int busiest = share(quads, rows) * share(blocks, units);
    if (busiest < least) {
      least = busiest;
      best = {rows, units};
    }
  }
  return best;
}

/// Barrier for `workers` threads: nobody leaves before all have arrived. Workers spin: a step takes
/// microseconds, too short to block.
class Meeting {
 public:
  void wait_for_all(int workers) {
    const unsigned seen = meetings_.load();
    if (come_.fetch_add(1) + 1 == workers) {
      come_.store(0);
      meetings_.fetch_add(1);
      return;
    }
    for (int looks = 1; meetings_.load() == seen; ++looks) {
      if (looks % 1024 == 0) std::this_thread::yield();
    }
  }

 private:
  alignas(64) std::atomic<int> come_{0};
  std::atomic<unsigned> meetings_{0};
};

}  // namespace gradus::fast
