// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cuda/pass.h"
#include "gradus/nn/cuda/time_loop.h"

namespace gradus::cuda {

template <typename Operand>
void Pass<Operand>::backward(const DeviceBatch& batch, float scale, float* gradient,
                             const DerivativeLimit& limit) {
  expand_inputs<Operand>(layout_.spec().data.input, batch.data(), batch.rows().count,
                         {layers_[0].operands.data(), layers_[0].leading}, limit.overflow, stream_);
  backward_layers(batch, limit);
  for (int l = 0; l < layers(); ++l) weight_gradients(l, batch, scale, gradient);
  output_weight_gradient(batch, scale, gradient + layout_.output_weight().offset);
}

// Output weights and bias are adjacent, and so are h and its column of ones: one product gives both
// gradients.
template <typename Operand>
void Pass<Operand>::output_weight_gradient(const DeviceBatch& batch, float scale, float* to) {
  const int rows = batch.rows().count;
  const int outputs = layout_.spec().data.output.width;
  const Matrix<const Operand> hidden{layers_.back().hidden.data(), leading_};
  const Matrix<const Operand> gradient{output_gradient_.data(), output_leading_};
  if constexpr (std::is_same_v<Operand, __half>) {
    if (few_outputs_gradient_) {
      few_outputs_gradient_->launch(rows, outputs, scale, hidden, gradient, to);
      return;
    }
  }
  products_.multiply_at<Operand>(cells_ + 1, outputs, rows, scale, hidden, gradient, {to, outputs});
}

template <typename Operand>
void Pass<Operand>::backward_layers(const DeviceBatch& batch, const DerivativeLimit& limit) {
  const int top = layers() - 1;
  if (!plan_.side_by_side) {
    for (int l = top; l >= 0; --l) {
      backward_segment(l, 0, batch.rows().steps, batch, limit);
      for (int s = 0; s < plan_.segments(); ++s) pass_down(l, s, batch);
    }
    return;
  }
  fork();
  for (int segment = plan_.segments() - 1; segment >= 0; --segment) {
    for (int l = top; l >= 0; --l) {
      if (l < top) layers_[l + 1].done[segment].hold(lane(l).stream);
      backward_segment(l, plan_.bounds[segment], plan_.bounds[segment + 1], batch, limit);
      pass_down(l, segment, batch);
      layers_[l].done[segment].record(lane(l).stream);
    }
  }
  join();
}

template <typename Operand>
void Pass<Operand>::backward_segment(int l, int first, int end, const DeviceBatch& batch,
                                     const DerivativeLimit& limit) {
  if constexpr (std::is_same_v<Operand, __half>) {
    if (weights_.for_time_loops()) {
      Layer& layer = layers_[l];
      backward_time_loop(cells_, plan_.group,
                         {.rows = batch.rows(),
                          .first = first,
                          .end = end,
                          .weights = weights_.backward_time_loop(l),
                          .gates = layer.gates.data(),
                          .cells = layer.cells.data(),
                          .hidden_gradient = layer.hidden_gradient.data(),
                          .gate_gradient = layer.gate_gradient.data(),
                          .carried = layer.carried_gradient.data(),
                          .limit = limit},
                         lane(l).stream);
      return;
    }
  }
  backward_steps(l, batch, limit);
}

// Computes d loss / d h of the layer below from this layer's gate gradients.
template <typename Operand>
void Pass<Operand>::pass_down(int l, int segment, const DeviceBatch& batch) {
  if (l == 0) return;
  const auto [row, rows] = rows_of(segment, batch);
  const int width = 4 * cells_;
  lane(l).products.template multiply_bt<Operand>(
      rows, cells_, width, {layers_[l].gate_gradient.data() + row * width, width},
      weights_.input(l), {layers_[l - 1].hidden_gradient.data() + row * cells_, cells_});
}

// A product whose number of rows is a multiple of 8 takes half the time. So this product writes a
// few rows more than the layer has; the next layer's or the output's product overwrites them.
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
void Pass<Operand>::backward_steps(int l, const DeviceBatch& batch, const DerivativeLimit& limit) {
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
                            .limit = limit},
                           stream_);
    if (t == 0) break;
    const std::size_t row = starts[t];
    const std::size_t before = starts[t - 1];
    products_.multiply_bt<Operand>(
        active, cells_, 4 * cells_, {layer.gate_gradient.data() + row * 4 * cells_, 4 * cells_},
        weights_.recurrent(l), {layer.hidden_gradient.data() + before * cells_, cells_}, true);
  }
}

template void Pass<__half>::backward(const DeviceBatch&, float, float*, const DerivativeLimit&);
template void Pass<float>::backward(const DeviceBatch&, float, float*, const DerivativeLimit&);

}  // namespace gradus::cuda
