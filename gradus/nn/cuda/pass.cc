#include "gradus/nn/cuda/pass.h"

#include <atomic>

#include "gradus/nn/cuda/kernels.h"
#include "gradus/nn/cuda/sums.h"

namespace gradus::cuda {
namespace {

// Rows of this many numbers keep every row of halves aligned to 16 bytes, which products want.
int padded(int width) {
  return (width + 7) / 8 * 8;
}

// Clusters of 16 blocks that an H200 holds at once.
constexpr int kClustersAtOnce = 7;

// Networks that share the GPU.
std::atomic<int> networks = 0;

// Sequences of a cluster: results are the same bits with any. Small groups make a step shorter,
// since less is sent, as long as all clusters run at once; large groups do more in all.
int group_size(int sequences) {
  for (const int group : {8, 16}) {
    if (networks * ((sequences + group - 1) / group) <= kClustersAtOnce) return group;
  }
  return 32;
}

}  // namespace

template <typename Operand>
Pass<Operand>::Pass(const ParameterLayout& layout, cudaStream_t stream)
    : layout_(layout),
      stream_(stream),
      products_(stream),
      sweeps_(std::is_same_v<Operand, __half> && sweeps_fit(layout.spec().cells)),
      cells_(layout.spec().cells),
      leading_(padded(cells_ + 1)),
      output_leading_(padded(layout.spec().data.output.width)),
      layers_(layout.spec().layers),
      output_weights_(static_cast<std::size_t>(cells_) * output_leading_) {
  ++networks;
  const std::size_t square = static_cast<std::size_t>(cells_) * 4 * cells_;
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    if (l > 0) layers_[l].input_weights.reserve(square);
    layers_[l].inputs = l == 0 ? layout.spec().data.input.width() : 0;
    layers_[l].leading = padded(layers_[l].inputs + cells_ + 1);
    layers_[l].recurrent_weights.reserve(square);
    if (sweeps_) layers_[l].backward_weights.reserve(square);
  }
}

template <typename Operand>
Pass<Operand>::~Pass() {
  --networks;
}

template <typename Operand>
void Pass<Operand>::use_weights(const float* weights) {
  weights_ = weights;
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    Layer& layer = layers_[l];
    const int index = static_cast<int>(l);
    if (l > 0) {
      round_matrix<Operand>(cells_, 4 * cells_, part(layout_.input(index)),
                            {layer.input_weights.data(), 4 * cells_}, stream_);
    }
    const float* recurrent = part(layout_.recurrent(index));
    if constexpr (std::is_same_v<Operand, __half>) {
      if (sweeps_) {
        pack_sweep_weights(cells_, recurrent, layer.recurrent_weights.data(),
                           layer.backward_weights.data(), stream_);
        continue;
      }
    }
    round_matrix<Operand>(cells_, 4 * cells_, recurrent,
                          {layer.recurrent_weights.data(), 4 * cells_}, stream_);
  }
  round_matrix<Operand>(cells_, layout_.spec().data.output.width, part(layout_.output_weight()),
                        {output_weights_.data(), output_leading_}, stream_);
}

template <typename Operand>
void Pass<Operand>::reserve(int count) {
  const std::size_t rows = count;
  const std::size_t h = cells_;
  const auto with_one = [&](Buffer<Operand>& buffer, int column, int leading) {
    if (!buffer.reserve(rows * leading)) return;
    check(cudaMemsetAsync(buffer.data(), 0, buffer.capacity() * sizeof(Operand), stream_),
          "clearing memory");
    const int capacity = static_cast<int>(buffer.capacity() / leading);
    fill_column<Operand>(capacity, column, 1, {buffer.data(), leading}, stream_);
  };
  for (Layer& layer : layers_) {
    layer.gates.reserve(rows * 4 * h);
    layer.cells.reserve(rows * h);
    with_one(layer.hidden, cells_, leading_);
    with_one(layer.operands, layer.inputs + cells_, layer.leading);
  }
  logits_.reserve(rows * output_leading_);
  output_gradient_.reserve(rows * output_leading_);
  losses_.reserve(rows);
  wrong_.reserve(rows);
  hidden_gradient_.reserve(rows * h);
  gate_gradient_.reserve(rows * 4 * h);
}

template <typename Operand>
void Pass<Operand>::forward(const DeviceBatch& batch, bool keep, float loss_scale, double* total) {
  const int rows = batch.rows().count;
  const DataSpec& data = layout_.spec().data;
  reserve(rows);
  look_up_inputs(data.input, batch.data(), rows, 4 * cells_, part(layout_.input(0)),
                 layers_[0].gates.data(), stream_);
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    forward_layer(static_cast<int>(l), batch, keep);
  }
  products_.multiply<Operand>(rows, output_leading_, cells_,
                              {layers_.back().hidden.data(), leading_},
                              {output_weights_.data(), output_leading_},
                              {logits_.data(), output_leading_});
  score_outputs<Operand>(data.output, batch.data(), rows, {logits_.data(), output_leading_},
                         part(layout_.output_bias()), loss_scale, losses_.data(), wrong_.data(),
                         {keep ? output_gradient_.data() : nullptr, output_leading_}, stream_);
  add_up(losses_.data(), rows, total, stream_);
}

template <typename Operand>
void Pass<Operand>::forward_layer(int l, const DeviceBatch& batch, bool keep) {
  Layer& layer = layers_[l];
  if (l > 0) {
    products_.multiply<Operand>(batch.rows().count, 4 * cells_, cells_,
                                {layers_[l - 1].hidden.data(), leading_},
                                {layer.input_weights.data(), 4 * cells_},
                                {layer.gates.data(), 4 * cells_});
  }
  if constexpr (std::is_same_v<Operand, __half>) {
    if (sweeps_) {
      forward_sweep(cells_, group_size(batch.rows().sequences),
                    {batch.rows(), layer.recurrent_weights.data(), part(layout_.bias(l)),
                     layer.gates.data(), layer.cells.data(), layer.hidden.data(), leading_,
                     layer.previous().data, layer.leading, keep},
                    stream_);
      return;
    }
  }
  forward_steps(l, batch);
}

template <typename Operand>
void Pass<Operand>::forward_steps(int l, const DeviceBatch& batch) {
  Layer& layer = layers_[l];
  const std::vector<int>& starts = batch.starts();
  const int steps = batch.rows().steps;
  for (int t = 0; t < steps; ++t) {
    const int active = starts[t + 1] - starts[t];
    const std::size_t row = starts[t];
    if (t > 0) {
      products_.multiply<Operand>(active, 4 * cells_, cells_,
                                  {layer.previous().data + row * layer.leading, layer.leading},
                                  {layer.recurrent_weights.data(), 4 * cells_},
                                  {layer.gates.data() + row * 4 * cells_, 4 * cells_}, true);
    }
    forward_step<Operand>({.cells = cells_,
                           .start = starts[t],
                           .active = active,
                           .before = t > 0 ? starts[t - 1] : -1,
                           .next = starts[t + 1],
                           .still_active = t + 1 < steps ? starts[t + 2] - starts[t + 1] : 0,
                           .bias = part(layout_.bias(l)),
                           .gates = layer.gates.data(),
                           .cell_states = layer.cells.data(),
                           .hidden = {layer.hidden.data(), leading_},
                           .previous = layer.previous()},
                          stream_);
  }
}

template <typename Operand>
void Pass<Operand>::backward(const DeviceBatch& batch, float scale, float* gradient,
                             int* overflow) {
  const int rows = batch.rows().count;
  const int outputs = layout_.spec().data.output.width;
  const DataSpec& data = layout_.spec().data;
  expand_inputs<Operand>(data.input, batch.data(), rows,
                         {layers_[0].operands.data(), layers_[0].leading}, stream_);
  // Weights and bias of the output are adjacent, as h and the 1 are.
  products_.multiply_at<Operand>(cells_ + 1, outputs, rows, scale,
                                 {layers_.back().hidden.data(), leading_},
                                 {output_gradient_.data(), output_leading_},
                                 {gradient + layout_.output_weight().offset, outputs});
  products_.multiply_bt<Operand>(rows, cells_, output_leading_,
                                 {output_gradient_.data(), output_leading_},
                                 {output_weights_.data(), output_leading_},
                                 {hidden_gradient_.data(), cells_});
  for (int l = layout_.spec().layers - 1; l >= 0; --l) {
    backward_layer(l, batch, scale, gradient, overflow);
  }
}

template <typename Operand>
void Pass<Operand>::backward_layer(int l, const DeviceBatch& batch, float scale, float* gradient,
                                   int* overflow) {
  Layer& layer = layers_[l];
  const int rows = batch.rows().count;
  const int width = 4 * cells_;
  bool swept = false;
  if constexpr (std::is_same_v<Operand, __half>) {
    if (sweeps_) {
      backward_sweep(cells_, group_size(batch.rows().sequences),
                     {batch.rows(), layer.backward_weights.data(), layer.gates.data(),
                      layer.cells.data(), hidden_gradient_.data(), gate_gradient_.data(), overflow},
                     stream_);
      swept = true;
    }
  }
  if (!swept) backward_steps(l, batch, overflow);

  const Matrix<const Operand> gates{gate_gradient_.data(), width};
  const Slice& first = l == 0 ? layout_.input(0) : layout_.recurrent(l);
  products_.multiply_at<Operand>(layer.inputs + cells_ + 1, width, rows, scale,
                                 {layer.operands.data(), layer.leading}, gates,
                                 {gradient + first.offset, width});
  if (l == 0) return;
  products_.multiply_at<Operand>(cells_, width, rows, scale,
                                 {layers_[l - 1].hidden.data(), leading_}, gates,
                                 {gradient + layout_.input(l).offset, width});
  products_.multiply_bt<Operand>(rows, cells_, width, gates, {layer.input_weights.data(), width},
                                 {hidden_gradient_.data(), cells_});
}

template <typename Operand>
void Pass<Operand>::backward_steps(int l, const DeviceBatch& batch, int* overflow) {
  Layer& layer = layers_[l];
  const std::vector<int>& starts = batch.starts();
  const int steps = batch.rows().steps;
  cell_gradient_.reserve(static_cast<std::size_t>(batch.rows().sequences) * cells_);
  for (int t = steps - 1; t >= 0; --t) {
    const int active = starts[t + 1] - starts[t];
    backward_step<Operand>({.cells = cells_,
                            .start = starts[t],
                            .active = active,
                            .before = t > 0 ? starts[t - 1] : -1,
                            .later_active = t + 1 < steps ? starts[t + 2] - starts[t + 1] : 0,
                            .gates = layer.gates.data(),
                            .cell_states = layer.cells.data(),
                            .hidden_gradient = hidden_gradient_.data(),
                            .cell_gradient = cell_gradient_.data(),
                            .gate_gradient = gate_gradient_.data(),
                            .overflow = overflow},
                           stream_);
    if (t == 0) break;
    const std::size_t row = starts[t];
    const std::size_t before = starts[t - 1];
    products_.multiply_bt<Operand>(active, cells_, 4 * cells_,
                                   {gate_gradient_.data() + row * 4 * cells_, 4 * cells_},
                                   {layer.recurrent_weights.data(), 4 * cells_},
                                   {hidden_gradient_.data() + before * cells_, cells_}, true);
  }
}

template class Pass<__half>;
template class Pass<float>;

}  // namespace gradus::cuda
