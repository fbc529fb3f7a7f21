// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <ctime>

namespace gradus::serve {

/// Processor time of the calling thread so far. Unlike the time on a clock, it does not grow while
/// the processors are busy with the runs.
inline std::chrono::nanoseconds processor_time() {
  std::timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// Work that is done again and again pauses for this many times the processor time that it took,
/// so that it takes one part in kPauseFactor of one core's time, unless the pauses would become
/// longer than anyone wants to wait.
inline constexpr int kPauseFactor = 150;

}  // namespace gradus::serve
