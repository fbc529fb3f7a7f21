#include "gradus/nn/cuda/pass.h"

#include <algorithm>
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

// Steps of a run, about: long enough that starting one costs little, short enough that the layer
// above starts soon.
constexpr int kRun = 32;

// Networks that share the GPU.
std::atomic<int> networks = 0;

// Clusters that a batch takes in groups of `group` sequences.
int clusters(int sequences, int group) {
  return (sequences + group - 1) / group;
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
  for (int l = 0; l < layers(); ++l) {
    Layer& layer = layers_[l];
    if (l > 0) layer.input_weights.reserve(square);
    layer.recurrent_weights.reserve(square);
    if (sweeps_) layer.backward_weights.reserve(square);
    layer.inputs = l == 0 ? layout.spec().data.input.width() : 0;
    layer.leading = padded(layer.inputs + cells_ + 1);
    if (l > 0 && sweeps_) layer.products = std::make_unique<Products>(layer.stream);
  }
}

template <typename Operand>
Pass<Operand>::~Pass() {
  --networks;
}

template <typename Operand>
void Pass<Operand>::use_weights(const float* weights) {
  weights_ = weights;
  for (int l = 0; l < layers(); ++l) {
    Layer& layer = layers_[l];
    if (l > 0) {
      round_matrix<Operand>(cells_, 4 * cells_, part(layout_.input(l)),
                            {layer.input_weights.data(), 4 * cells_}, stream_);
    }
    const float* recurrent = part(layout_.recurrent(l));
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

// Runs depend on the batch alone, since a product of other rows may round otherwise. Small groups
// make a step shorter, since less is sent, as long as all clusters run at once; large groups do
// more in all.
template <typename Operand>
typename Pass<Operand>::Plan Pass<Operand>::make_plan(const DeviceBatch& batch) const {
  Plan plan;
  const int steps = batch.rows().steps;
  const int sequences = batch.rows().sequences;
  const int runs = layers() > 1 && sweeps_ ? std::max(1, steps / kRun) : 1;
  for (int run = 0; run <= runs; ++run) plan.bounds.push_back(run * steps / runs);
  plan.side_by_side = runs > 1 && networks * layers() * clusters(sequences, 16) <= kClustersAtOnce;
  const int lanes = networks * (plan.side_by_side ? layers() : 1);
  plan.group = 32;
  for (const int group : {16, 8}) {
    if (lanes * clusters(sequences, group) <= kClustersAtOnce) plan.group = group;
  }
  return plan;
}

template <typename Operand>
void Pass<Operand>::reserve(int count, int sequences) {
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
    layer.hidden_gradient.reserve(rows * h);
    layer.gate_gradient.reserve(rows * 4 * h);
    layer.carried_gradient.reserve(2 * h * sequences);
    while (static_cast<int>(layer.done.size()) < plan_.runs()) layer.done.emplace_back();
  }
  logits_.reserve(rows * output_leading_);
  output_gradient_.reserve(rows * output_leading_);
  losses_.reserve(rows);
  wrong_.reserve(rows);
}

// The first row of a run of steps, and their number.
template <typename Operand>
std::pair<std::size_t, int> Pass<Operand>::rows_of(int run, const DeviceBatch& batch) const {
  const int first = batch.starts()[plan_.bounds[run]];
  return {first, batch.starts()[plan_.bounds[run + 1]] - first};
}

template <typename Operand>
typename Pass<Operand>::Lane Pass<Operand>::lane(int l) {
  if (l == 0 || !plan_.side_by_side) return {stream_, products_};
  return {layers_[l].stream, *layers_[l].products};
}

// The layers' streams go on from here.
template <typename Operand>
void Pass<Operand>::fork() {
  if (!plan_.side_by_side) return;
  forked_.record(stream_);
  for (int l = 1; l < layers(); ++l) forked_.hold(lane(l).stream);
}

// The stream goes on when all layers' streams are here.
template <typename Operand>
void Pass<Operand>::join() {
  if (!plan_.side_by_side) return;
  for (int l = 1; l < layers(); ++l) {
    layers_[l].done[0].record(lane(l).stream);
    layers_[l].done[0].hold(stream_);
  }
}

template <typename Operand>
void Pass<Operand>::forward(const DeviceBatch& batch, bool keep, float loss_scale, double* total) {
  const int rows = batch.rows().count;
  const DataSpec& data = layout_.spec().data;
  plan_ = make_plan(batch);
  reserve(rows, batch.rows().sequences);
  look_up_inputs(data.input, batch.data(), rows, 4 * cells_, part(layout_.input(0)),
                 layers_[0].gates.data(), stream_);
  forward_layers(batch, keep);
  products_.multiply<Operand>(
      rows, output_leading_, cells_, {layers_.back().hidden.data(), leading_},
      {output_weights_.data(), output_leading_}, {logits_.data(), output_leading_});
  score_outputs<Operand>(data.output, batch.data(), rows, {logits_.data(), output_leading_},
                         part(layout_.output_bias()), loss_scale, losses_.data(), wrong_.data(),
                         {keep ? output_gradient_.data() : nullptr, output_leading_}, stream_);
  add_up(losses_.data(), rows, total, stream_);
}

template <typename Operand>
void Pass<Operand>::forward_layers(const DeviceBatch& batch, bool keep) {
  if (!plan_.side_by_side) {
    for (int l = 0; l < layers(); ++l) {
      for (int run = 0; run < plan_.runs(); ++run) project_inputs(l, run, batch);
      forward_run(l, 0, batch.rows().steps, batch, keep);
    }
    return;
  }
  fork();
  for (int run = 0; run < plan_.runs(); ++run) {
    for (int l = 0; l < layers(); ++l) {
      if (l > 0) layers_[l - 1].done[run].hold(lane(l).stream);
      project_inputs(l, run, batch);
      forward_run(l, plan_.bounds[run], plan_.bounds[run + 1], batch, keep);
      layers_[l].done[run].record(lane(l).stream);
    }
  }
  join();
}

// What the hidden states below add to the gates; the lowest layer's inputs were looked up.
template <typename Operand>
void Pass<Operand>::project_inputs(int l, int run, const DeviceBatch& batch) {
  if (l == 0) return;
  const auto [row, rows] = rows_of(run, batch);
  const int width = 4 * cells_;
  lane(l).products.template multiply<Operand>(
      rows, width, cells_, {layers_[l - 1].hidden.data() + row * leading_, leading_},
      {layers_[l].input_weights.data(), width}, {layers_[l].gates.data() + row * width, width});
}

template <typename Operand>
void Pass<Operand>::forward_run(int l, int first, int end, const DeviceBatch& batch, bool keep) {
  if constexpr (std::is_same_v<Operand, __half>) {
    if (sweeps_) {
      Layer& layer = layers_[l];
      forward_sweep(cells_, plan_.group,
                    {.rows = batch.rows(),
                     .first = first,
                     .end = end,
                     .weights = layer.recurrent_weights.data(),
                     .bias = part(layout_.bias(l)),
                     .gates = layer.gates.data(),
                     .cells = layer.cells.data(),
                     .hidden = layer.hidden.data(),
                     .leading = leading_,
                     .previous = layer.previous().data,
                     .previous_leading = layer.leading,
                     .keep = keep},
                    lane(l).stream);
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
  expand_inputs<Operand>(layout_.spec().data.input, batch.data(), rows,
                         {layers_[0].operands.data(), layers_[0].leading}, overflow, stream_);
  products_.multiply_bt<Operand>(
      rows, cells_, output_leading_, {output_gradient_.data(), output_leading_},
      {output_weights_.data(), output_leading_}, {layers_.back().hidden_gradient.data(), cells_});
  backward_layers(batch, overflow);
  for (int l = 0; l < layers(); ++l) weight_gradients(l, batch, scale, gradient);
  // Weights and bias of the output are adjacent, as h and the 1 are.
  products_.multiply_at<Operand>(cells_ + 1, outputs, rows, scale,
                                 {layers_.back().hidden.data(), leading_},
                                 {output_gradient_.data(), output_leading_},
                                 {gradient + layout_.output_weight().offset, outputs});
}

template <typename Operand>
void Pass<Operand>::backward_layers(const DeviceBatch& batch, int* overflow) {
  const int top = layers() - 1;
  if (!plan_.side_by_side) {
    for (int l = top; l >= 0; --l) {
      backward_run(l, 0, batch.rows().steps, batch, overflow);
      for (int run = 0; run < plan_.runs(); ++run) pass_down(l, run, batch);
    }
    return;
  }
  fork();
  for (int run = plan_.runs() - 1; run >= 0; --run) {
    for (int l = top; l >= 0; --l) {
      if (l < top) layers_[l + 1].done[run].hold(lane(l).stream);
      backward_run(l, plan_.bounds[run], plan_.bounds[run + 1], batch, overflow);
      pass_down(l, run, batch);
      layers_[l].done[run].record(lane(l).stream);
    }
  }
  join();
}

template <typename Operand>
void Pass<Operand>::backward_run(int l, int first, int end, const DeviceBatch& batch,
                                 int* overflow) {
  if constexpr (std::is_same_v<Operand, __half>) {
    if (sweeps_) {
      Layer& layer = layers_[l];
      backward_sweep(cells_, plan_.group,
                     {.rows = batch.rows(),
                      .first = first,
                      .end = end,
                      .weights = layer.backward_weights.data(),
                      .gates = layer.gates.data(),
                      .cells = layer.cells.data(),
                      .hidden_gradient = layer.hidden_gradient.data(),
                      .gate_gradient = layer.gate_gradient.data(),
                      .carried = layer.carried_gradient.data(),
                      .overflow = overflow},
                     lane(l).stream);
      return;
    }
  }
  backward_steps(l, batch, overflow);
}

// d loss / d h of the layer below, from the gate gradients of this one.
template <typename Operand>
void Pass<Operand>::pass_down(int l, int run, const DeviceBatch& batch) {
  if (l == 0) return;
  const auto [row, rows] = rows_of(run, batch);
  const int width = 4 * cells_;
  lane(l).products.template multiply_bt<Operand>(
      rows, cells_, width, {layers_[l].gate_gradient.data() + row * width, width},
      {layers_[l].input_weights.data(), width},
      {layers_[l - 1].hidden_gradient.data() + row * cells_, cells_});
}

// A product of a whole number of 8 rows takes half the time, so that a few rows more than the layer
// has are written: into what the next layer's or the output's product then overwrites.
template <typename Operand>
void Pass<Operand>::weight_gradients(int l, const DeviceBatch& batch, float scale,
                                     float* gradient) {
  const Layer& layer = layers_[l];
  const int rows = batch.rows().count;
  const int width = 4 * cells_;
  const Matrix<const Operand> gates{layer.gate_gradient.data(), width};
  if (l > 0) {
    products_.multiply_at<Operand>(cells_, width, rows, scale,
                                   {layers_[l - 1].hidden.data(), leading_}, gates,
                                   {gradient + layout_.input(l).offset, width});
  }
  const Slice& first = l == 0 ? layout_.input(0) : layout_.recurrent(l);
  products_.multiply_at<Operand>(layer.leading, width, rows, scale,
                                 {layer.operands.data(), layer.leading}, gates,
                                 {gradient + first.offset, width});
}

template <typename Operand>
std::size_t Pass<Operand>::gradient_room() const {
  return layout_.parameters() + 8 * static_cast<std::size_t>(4 * cells_);
}

template <typename Operand>
void Pass<Operand>::backward_steps(int l, const DeviceBatch& batch, int* overflow) {
  Layer& layer = layers_[l];
  const std::vector<int>& starts = batch.starts();
  const int steps = batch.rows().steps;
  for (int t = steps - 1; t >= 0; --t) {
    const int active = starts[t + 1] - starts[t];
    backward_step<Operand>({.cells = cells_,
                            .start = starts[t],
                            .active = active,
                            .before = t > 0 ? starts[t - 1] : -1,
                            .later_active = t + 1 < steps ? starts[t + 2] - starts[t + 1] : 0,
                            .gates = layer.gates.data(),
                            .cell_states = layer.cells.data(),
                            .hidden_gradient = layer.hidden_gradient.data(),
                            .cell_gradient = layer.carried_gradient.data(),
                            .gate_gradient = layer.gate_gradient.data(),
                            .overflow = overflow},
                           stream_);
    if (t == 0) break;
    const std::size_t row = starts[t];
    const std::size_t before = starts[t - 1];
    products_.multiply_bt<Operand>(active, cells_, 4 * cells_,
                                   {layer.gate_gradient.data() + row * 4 * cells_, 4 * cells_},
                                   {layer.recurrent_weights.data(), 4 * cells_},
                                   {layer.hidden_gradient.data() + before * cells_, cells_}, true);
  }
}

template class Pass<__half>;
template class Pass<float>;

}  // namespace gradus::cuda
