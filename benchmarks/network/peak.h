#pragma once

namespace gradus::benchmarks {

/// Multiply-adds of floats in registers, on `threads` threads at once: floating-point operations a
/// second, the most that any product can reach here and now. Takes about ten milliseconds.
double measure_peak(int threads);

}  // namespace gradus::benchmarks
