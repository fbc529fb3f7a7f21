#pragma once

#include <vector>

#include "gradus/nn/cuda/device_batch.h"
#include "gradus/nn/cuda/products.h"
#include "gradus/nn/cuda/sweep.h"
#include "gradus/nn/layout.h"

namespace gradus::cuda {

/// Forward and backward pass of the stacked LSTM on the GPU: LstmPass of the CPU, with products over
/// all time steps wherever one does not wait for another. Operand, half or float, is what matrix
/// products read; weights, cell states, sums and gradients are float. All work is queued on the
/// stream; nothing waits. Memory is kept between calls.
template <typename Operand>
class Pass {
 public:
  /// Layout must outlive the pass.
  Pass(const ParameterLayout& layout, cudaStream_t stream);
  ~Pass();

  /// Takes the P weights that the next passes use; they must stay as they are until then.
  void use_weights(const float* weights);

  /// Row by row losses and errors of `batch`, and, to `total`, the sum of the losses. Where `keep`,
  /// what backward() needs, with gradients of loss_scale times the loss.
  void forward(const DeviceBatch& batch, bool keep, float loss_scale, double* total);

  /// After forward() with `keep`: gradient (P) = scale * the gradient of loss_scale times the total
  /// loss. Sets *overflow to 1 where a number on the way was beyond Operand's range.
  void backward(const DeviceBatch& batch, float scale, float* gradient, int* overflow);

  /// (M) whether each row of the last batch is scored and wrong.
  const unsigned char* wrong() const { return wrong_.data(); }

 private:
  struct Layer {
    Buffer<Operand> input_weights;      // (H, 4H), not of the lowest layer
    Buffer<Operand> recurrent_weights;  // (H, 4H), or as the sweeps want them
    Buffer<Operand> backward_weights;   // of the sweeps
    Buffer<float> gates;                // (M, 4H)
    Buffer<float> cells;                // (M, H)
    Buffer<Operand> hidden;             // (M, leading_) h_t, a 1, zeros
    // (M, ...) what the gate gradients are multiplied with for the gradients of input weights,
    // recurrent weights and bias, which are adjacent: inputs, h_{t-1}, a 1, zeros. Above the lowest
    // layer the inputs are the hidden states below, where they are.
    Buffer<Operand> operands;
    int inputs = 0;  // columns of inputs in operands
    int leading = 0;
    Matrix<Operand> previous() const { return {operands.data() + inputs, leading}; }
  };

  void reserve(int rows);
  void forward_layer(int layer, const DeviceBatch& batch, bool keep);
  void forward_steps(int layer, const DeviceBatch& batch);
  void backward_layer(int layer, const DeviceBatch& batch, float scale, float* gradient,
                      int* overflow);
  void backward_steps(int layer, const DeviceBatch& batch, int* overflow);
  const float* part(const Slice& slice) const { return weights_ + slice.offset; }

  const ParameterLayout& layout_;
  cudaStream_t stream_;
  Products products_;
  bool sweeps_;
  int cells_;
  int leading_;         // of hidden states
  int output_leading_;  // of logits and their gradients
  const float* weights_ = nullptr;
  std::vector<Layer> layers_;
  Buffer<Operand> output_weights_;   // (H, output_leading_)
  Buffer<float> logits_;             // (M, output_leading_)
  Buffer<Operand> output_gradient_;  // (M, output_leading_)
  Buffer<double> losses_;            // (M)
  Buffer<unsigned char> wrong_;      // (M)
  Buffer<float> hidden_gradient_;    // (M, H) d loss / d h of the layer at hand
  Buffer<Operand> gate_gradient_;    // (M, 4H) d loss / d z of the layer at hand
  Buffer<float> cell_gradient_;      // (B, H)
};

}  // namespace gradus::cuda
