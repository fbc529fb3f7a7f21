#pragma once

#include <cstddef>

#include <cuda_runtime.h>

namespace gradus::cuda {

// Sums in double and in a fixed order, so that they are the same every time. One block makes them:
// they are short or rare.

/// *total = sum of values[0, count).
void add_up(const double* values, std::size_t count, double* total, cudaStream_t stream);

/// *total = sum of the squares of values[0, count).
void add_squares(const float* values, std::size_t count, double* total, cudaStream_t stream);

}  // namespace gradus::cuda
