#pragma once

namespace gradus::benchmarks {

/// Multiply-adds of floats in registers, on `threads` threads at once: floating-point operations a
/// second, the most that any product can reach here and now. Takes about ten milliseconds.
double measure_peak(int threads);

/// Seconds for a cache line to go to another thread and back: tells whether two processors share a
/// cache. Takes some tens of milliseconds.
double measure_round_trip();

}  // namespace gradus::benchmarks
