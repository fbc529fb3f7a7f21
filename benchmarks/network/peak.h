// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gradus::benchmarks {

/// Runs multiply-adds of floats in registers, on `threads` threads at once. Returns floating-point
/// operations per second, the upper bound for any product on this machine at this moment. Takes
/// about ten milliseconds.
double measure_peak(int threads);

/// Seconds for a cache line to go to another thread and back, which shows whether two processors
/// share a cache. Takes some tens of milliseconds.
double measure_round_trip();

}  // namespace gradus::benchmarks
