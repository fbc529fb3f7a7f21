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

}  // namespace gradus::serve
