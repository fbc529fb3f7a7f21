#pragma once

#include <cstddef>

#include <cuda_runtime.h>

namespace gradus::cuda {

/// *total = sum of the squares of values[0, count), in double and in a fixed order, so that it is
/// the same every time. One block makes it: it is rarely asked for.
void add_squares(const float* values, std::size_t count, double* total, cudaStream_t stream);

}  // namespace gradus::cuda
