#pragma once

#include "gradus/nn/cuda/kernels.h"

namespace gradus::cuda {

/// The output layer of a network of few outputs, from hidden states to losses and back to the
/// gradient of hidden states: products so narrow that a library's kernels fill the GPU with little
/// to do.
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
  Matrix<__half> gradient;           ///< (M, O) as score_outputs() writes it; or without data
  float* hidden_gradient = nullptr;  ///< (M, H), written where `gradient` has data
};

constexpr int kMostFewOutputs = 16;

/// True for layers that score_few_outputs() takes; `leading` is that of the weights.
constexpr bool has_few_outputs(int cells, int leading) {
  return cells % 32 == 0 && leading <= kMostFewOutputs;
}

/// REQUIRES has_few_outputs(), and the same leading dimension of weights and gradient, a multiple
/// of 8.
void score_few_outputs(const FewOutputs& layer, cudaStream_t stream);

/// The gradient of such a layer's weights and bias.
class FewOutputsGradient {
 public:
  FewOutputsGradient(int cells, cudaStream_t stream);

  /// to (H + 1, outputs) = scale * hidden^T gradient, for hidden (M, H + 1) and gradient (M,
  /// outputs) of `rows` rows, both padded to a multiple of 8 numbers a row.
  void run(int rows, int outputs, float scale, Matrix<const __half> hidden,
           Matrix<const __half> gradient, float* to);

 private:
  int columns_;  // H + 1
  cudaStream_t stream_;
  Buffer<float> parts_;
  Buffer<unsigned> arrived_;
};

}  // namespace gradus::cuda
