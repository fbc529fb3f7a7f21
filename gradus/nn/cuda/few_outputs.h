// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gradus/nn/cuda/kernels.h"

namespace gradus::cuda {

/// The output layer of a network with few outputs, from hidden states to losses and back to the
/// gradient of the hidden states. These products are so narrow that a library's kernels would leave
/// most of the GPU idle.
struct FewOutputs {
  OutputSpec spec;
  RowData data;
  int rows = 0;                  ///< M
  int cells = 0;                 ///< H
  Matrix<const __half> hidden;   ///< (M, H)
  Matrix<const __half> weights;  ///< (H, O), zeros up to its leading dimension
  const float* bias = nullptr;   ///< (O)
  float scale = 1;
  Losses losses;
  unsigned char* wrong = nullptr;    ///< (M)
  Matrix<__half> gradient;           ///< (M, O) as score_outputs() writes it; may have no data
  float* hidden_gradient = nullptr;  ///< (M, H), written if `gradient` has data
};

constexpr int kMostFewOutputs = 16;

/// True if score_few_outputs() supports the layer. `leading` is the leading dimension of the
/// weights.
constexpr bool has_few_outputs(int cells, int leading) {
  return cells % 32 == 0 && leading <= kMostFewOutputs;
}

/// REQUIRES has_few_outputs(), and that weights and gradient have the same leading dimension, a
/// multiple of 8.
void score_few_outputs(const FewOutputs& layer, cudaStream_t stream);

/// Gradient of such a layer's weights and bias.
class FewOutputsGradient {
 public:
  FewOutputsGradient(int cells, cudaStream_t stream);

  /// to (H + 1, outputs) = scale * hidden^T gradient. M = `rows`, hidden is (M, H + 1), gradient is
  /// (M, outputs). The rows of both are padded to a multiple of 8 numbers.
  void launch(int rows, int outputs, float scale, Matrix<const __half> hidden,
              Matrix<const __half> gradient, float* to);

 private:
  int columns_;  // H + 1
  cudaStream_t stream_;
  Buffer<float> parts_;
  Buffer<unsigned> arrived_;
};

}  // namespace gradus::cuda
