#pragma once

#include <cstddef>

#include <cuda_runtime.h>

namespace gradus::cuda {

/// *total = sum of the squares of values[0, count), in double and in a fixed order, so that the
/// result is reproducible. Uses a single block: this is rarely called.
void add_squares(const float* values, std::size_t count, double* total, cudaStream_t stream);

}  // namespace gradus::cuda
