#pragma once

#include <cstddef>

#include <cuda_runtime.h>

#include "gradus/nn/cuda/buffer.h"

namespace gradus::cuda {

// Sums in double, over fixed stretches and in a fixed order, so that they are the same every time.

/// *total = sum of values[0, count).
void add_up(const double* values, std::size_t count, double* total, cudaStream_t stream);

/// Dot products of long float arrays.
class DotProducts {
 public:
  explicit DotProducts(cudaStream_t stream);
  /// *total = a . b over `count` numbers.
  void dot(const float* a, const float* b, std::size_t count, double* total);

 private:
  cudaStream_t stream_;
  Buffer<double> partial_;
};

}  // namespace gradus::cuda
