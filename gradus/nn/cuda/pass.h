#pragma once

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "gradus/nn/cuda/derivatives.h"
#include "gradus/nn/cuda/device_batch.h"
#include "gradus/nn/cuda/few_outputs.h"
#include "gradus/nn/cuda/products.h"
#include "gradus/nn/cuda/stream.h"
#include "gradus/nn/cuda/weights.h"
#include "gradus/nn/layout.h"

namespace gradus::cuda {

/// Forward and backward pass of the stacked LSTM on the GPU: LstmPass of the CPU, with products
/// over all time steps wherever one does not wait for another. Operand, half or float, is what
/// matrix products read; weights, cell states, sums and gradients are float. All work is queued on
/// the stream, or on others between points of it; nothing waits. Memory is kept between calls.
///
/// Products between layers are made in runs of time steps. Where the GPU has room, layers run side
/// by side on streams of their own, each a run behind the one that feeds it. Neither that nor how
/// sequences are grouped changes a bit.
template <typename Operand>
class Pass {
 public:
  /// Layout and weights must outlive the pass. Each pass uses the weights as they are when it is
  /// queued.
  Pass(const ParameterLayout& layout, const Weights<Operand>& weights, cudaStream_t stream);
  ~Pass();

  /// The sum of the losses of `batch`, to `total`, and its errors row by row. Where `keep`, what
  /// backward() needs, with gradients of loss_scale times the loss.
  void forward(const DeviceBatch& batch, bool keep, float loss_scale, double* total);

  /// After forward() with `keep`: gradient (P) = scale * the gradient of loss_scale times the total
  /// loss, derivatives by gate inputs limited. REQUIRES room for gradient_room() numbers, of which
  /// those past P are changed too.
  void backward(const DeviceBatch& batch, float scale, float* gradient,
                const DerivativeLimit& limit);
  std::size_t gradient_room() const;

  /// (M) whether each row of the last batch is scored and wrong.
  const unsigned char* wrong() const { return wrong_.data(); }

 private:
  struct Layer {
    Buffer<float> gates;     // (M, 4H)
    Buffer<float> cells;     // (M, H)
    Buffer<Operand> hidden;  // (M, leading_) h_t, a 1, zeros
    // (M, ...) what the gate gradients are multiplied with for the gradients of input weights,
    // recurrent weights and bias, which are adjacent: inputs, h_{t-1}, a 1, zeros. Above the lowest
    // layer the inputs are the hidden states below, where they are.
    Buffer<Operand> operands;
    int inputs = 0;  // columns of inputs in operands
    int leading = 0;
    Buffer<float> hidden_gradient;   // (M, H) d loss / d h
    Buffer<Operand> gate_gradient;   // (M, 4H) d loss / d z
    Buffer<float> carried_gradient;  // (2, B, H) between steps or runs

    Stream stream;
    std::unique_ptr<Products> products;  // on that stream
    std::deque<Event> done;              // with each run
    Matrix<Operand> previous() const { return {operands.data() + inputs, leading}; }
  };

  // How a batch is worked through.
  struct Plan {
    std::vector<int> bounds;  // first step of each run, and T
    int group = 0;            // sequences of a cluster
    bool side_by_side = false;
    int runs() const { return static_cast<int>(bounds.size()) - 1; }
  };

  // The stream of a layer and the products on it.
  struct Lane {
    cudaStream_t stream;
    Products& products;
  };

  Plan make_plan(const DeviceBatch& batch) const;
  void reserve(int rows, int sequences);
  Lane lane(int layer);
  void fork();
  void join();
  void score(const DeviceBatch& batch, bool keep, float loss_scale, const Losses& losses);
  void forward_layers(const DeviceBatch& batch, bool keep);
  std::pair<std::size_t, int> rows_of(int run, const DeviceBatch& batch) const;
  bool sweeps_take_inputs() const;
  void project_inputs(int layer, int run, const DeviceBatch& batch);
  void forward_run(int layer, int first, int end, const DeviceBatch& batch, bool keep);
  void forward_steps(int layer, const DeviceBatch& batch);
  void backward_layers(const DeviceBatch& batch, const DerivativeLimit& limit);
  void backward_run(int layer, int first, int end, const DeviceBatch& batch,
                    const DerivativeLimit& limit);
  void pass_down(int layer, int run, const DeviceBatch& batch);
  void backward_steps(int layer, const DeviceBatch& batch, const DerivativeLimit& limit);
  void weight_gradients(int layer, const DeviceBatch& batch, float scale, float* gradient);
  void output_weight_gradient(const DeviceBatch& batch, float scale, float* to);
  int layers() const { return static_cast<int>(layers_.size()); }

  const ParameterLayout& layout_;
  const Weights<Operand>& weights_;
  cudaStream_t stream_;
  Products products_;
  int cells_;
  int leading_;         // of hidden states
  int output_leading_;  // of logits and their gradients
  std::deque<Layer> layers_;
  Plan plan_;  // of the last batch
  Event forked_;
  std::unique_ptr<FewOutputsGradient> few_outputs_gradient_;  // where outputs are few
  Buffer<float> logits_;             // (M, output_leading_), where outputs are many
  Buffer<Operand> output_gradient_;  // (M, output_leading_)
  Buffer<double> losses_;            // (M) for sums of blocks
  Buffer<unsigned> arrived_;         // blocks that have left theirs
  Buffer<unsigned char> wrong_;      // (M)
};

}  // namespace gradus::cuda
