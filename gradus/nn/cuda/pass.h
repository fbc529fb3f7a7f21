// SPDX-License-Identifier: Apache-2.0
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
#include "gradus/nn/gpu_pool.h"
#include "gradus/nn/layout.h"

namespace gradus::cuda {

/// Forward and backward pass of the stacked LSTM on the GPU: LstmPass of the CPU, with one product
/// for many time steps unless a step needs the result of another. Operand, half or float, is the
/// type of the matrix products' operands; weights, cell states, sums and gradients are float. All
/// work is queued on the stream, or on other streams that fork from it and join it again; nothing
/// blocks the host. Memory is kept between calls.
///
/// Products between layers are computed in segments of time steps. If the GPU has room, layers run
/// concurrently on their own streams, each one segment behind the layer that feeds it. Neither this
/// nor the grouping of sequences changes the results by a bit.
template <typename Operand>
class Pass {
 public:
  /// Layout and weights must outlive the pass. Each call uses the weights that are set when it is
  /// queued. `place` tells how many networks share the GPU; null means one.
  Pass(const ParameterLayout& layout, const Weights<Operand>& weights,
       std::shared_ptr<const GpuPlace> place, cudaStream_t stream);

  /// Writes the sum of the losses of `batch` to `total`, in GPU memory, and the errors of its rows
  /// to wrong(). If `keep`, also stores what backward() needs, for gradients of loss_scale times
  /// the loss.
  void forward(const DeviceBatch& batch, bool keep, float loss_scale, double* total);

  /// gradient (P) = scale * the gradient of loss_scale times the total loss, with limited
  /// derivatives with respect to gate inputs. REQUIRES a preceding forward() of the same batch with
  /// `keep`, and room for gradient_room() numbers at `gradient`; those past P are overwritten too.
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
    // (M, leading) inputs, h_{t-1}, a 1, zeros. The product with the gate gradients gives the
    // gradients of input weights, recurrent weights and bias, which are adjacent. Above the lowest
    // layer there are no input columns: the inputs are the hidden states of the layer below.
    Buffer<Operand> operands;
    int inputs = 0;  // input columns of operands
    int leading = 0;
    Buffer<float> hidden_gradient;   // (M, H) d loss / d h
    Buffer<Operand> gate_gradient;   // (M, 4H) d loss / d z
    Buffer<float> carried_gradient;  // (2, B, H) carried between steps or segments

    Stream stream;
    std::unique_ptr<Products> products;  // uses that stream
    std::deque<Event> done;              // recorded at the end of each segment
    Matrix<Operand> previous() const { return {operands.data() + inputs, leading}; }
  };

  // How to process a batch.
  struct Plan {
    std::vector<int> bounds;  // first step of each segment, then T
    int group = 0;            // sequences per cluster
    bool side_by_side = false;
    int segments() const { return static_cast<int>(bounds.size()) - 1; }
  };

  // A layer's stream, and the products on it.
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
  std::pair<std::size_t, int> rows_of(int segment, const DeviceBatch& batch) const;
  bool time_loops_take_inputs() const;
  void project_inputs(int layer, int segment, const DeviceBatch& batch);
  void forward_segment(int layer, int first, int end, const DeviceBatch& batch, bool keep);
  void forward_steps(int layer, const DeviceBatch& batch);
  void backward_layers(const DeviceBatch& batch, const DerivativeLimit& limit);
  void backward_segment(int layer, int first, int end, const DeviceBatch& batch,
                        const DerivativeLimit& limit);
  void pass_down(int layer, int segment, const DeviceBatch& batch);
  void backward_steps(int layer, const DeviceBatch& batch, const DerivativeLimit& limit);
  void weight_gradients(int layer, const DeviceBatch& batch, float scale, float* gradient);
  void output_weight_gradient(const DeviceBatch& batch, float scale, float* to);
  int layers() const { return static_cast<int>(layers_.size()); }

  const ParameterLayout& layout_;
  const Weights<Operand>& weights_;
  std::shared_ptr<const GpuPlace> place_;
  cudaStream_t stream_;
  Products products_;
  int cells_;
  int clusters_at_once_;  // that the GPU can run; 0 if there are no time loops
  int leading_;           // leading dimension of hidden states
  int output_leading_;    // leading dimension of logits and their gradients
  std::deque<Layer> layers_;
  Plan plan_;  // for the last batch
  Event forked_;
  std::unique_ptr<FewOutputsGradient> few_outputs_gradient_;  // null unless outputs are few
  Buffer<float> logits_;             // (M, output_leading_), used if outputs are many
  Buffer<Operand> output_gradient_;  // (M, output_leading_)
  Buffer<double> losses_;            // (M) scratch for per-block sums
  Buffer<unsigned> arrived_;         // number of blocks that have stored theirs
  Buffer<unsigned char> wrong_;      // (M)
};

}  // namespace gradus::cuda
