#pragma once

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>

#include "gradus/nn/cpu/fast/panels.h"

namespace gradus::fast {

/// How workers share the steps of a batch. Worker w takes run w % row_groups of sequences, and
/// every row_groups-th after it. Few workers need nothing more and never wait for each other. Where
/// sequences are too few to keep all busy, unit_groups of them share the same sequences, each
/// working on its own blocks of units, and meet after every step.
struct Split {
  int row_groups = 1;
  int unit_groups = 1;

  int workers() const { return row_groups * unit_groups; }
  int row_group(int worker) const { return worker % row_groups; }
  int unit_group(int worker) const { return worker / row_groups; }
  /// The first sequence of a worker, and how many of the first `sequences` are its own.
  int first_row(int worker) const { return row_group(worker) * kRun; }
  int rows(int worker, int sequences) const {
    const int round = kRun * row_groups;
    return sequences / round * kRun + std::clamp(sequences % round - first_row(worker), 0, kRun);
  }
  int first_block(int worker, int blocks) const {
    return unit_group(worker) * blocks / unit_groups;
  }
  int last_block(int worker, int blocks) const {
    return (unit_group(worker) + 1) * blocks / unit_groups;
  }
};

/// The split with the smallest share for the busiest worker; of equal ones that with the fewest
/// meetings. A worker takes whole runs: fewer sequences make poor use of a loaded weight.
inline Split split_for(int threads, int sequences, int blocks) {
  const auto share = [](int whole, int parts) { return (whole + parts - 1) / parts; };
  const int runs = share(sequences, kRun);
  Split best;
  int least = std::numeric_limits<int>::max();
  for (int rows = threads; rows >= 1; --rows) {
    if (rows > runs) continue;
    const int units = std::min(threads / rows, blocks);
    const int busiest = share(runs, rows) * share(blocks, units);
    if (busiest < least) {
      least = busiest;
      best = {rows, units};
    }
  }
  return best;
}

/// Where workers that share sequences meet: nobody leaves before all have come. A step takes
/// microseconds, so they look on rather than sleep.
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
