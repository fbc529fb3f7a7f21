// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cuda/pass.h"
#include "gradus/nn/cuda/time_loop.h"

namespace gradus::cuda {

template <typename Operand>
void Pass<Operand>::forward(const DeviceBatch& batch, bool keep, float loss_scale, double* total) {
  const int rows = batch.rows().count;
  const DataSpec& data = layout_.spec().data;
  plan_ = make_plan(batch);
  reserve(rows, batch.rows().sequences);
  if (!time_loops_take_inputs()) {
    look_up_inputs(data.input, batch.data(), rows, 4 * cells_, weights_.part(layout_.input(0)),
                   layers_[0].gates.data(), stream_);
  }
  forward_layers(batch, keep);
  score(batch, keep, loss_scale, {total, losses_.data(), arrived_.data()});
}

// Computes losses and errors and, if `keep`, the gradient of the top layer's hidden states.
template <typename Operand>
void Pass<Operand>::score(const DeviceBatch& batch, bool keep, float loss_scale,
                          const Losses& losses) {
  const int rows = batch.rows().count;
  const OutputSpec& output = layout_.spec().data.output;
  const Layer& top = layers_.back();
  const float* bias = weights_.part(layout_.output_bias());
  const Matrix<Operand> gradient{keep ? output_gradient_.data() : nullptr, output_leading_};
  if constexpr (std::is_same_v<Operand, __half>) {
    if (few_outputs_gradient_) {
      score_few_outputs({.spec = output,
                         .data = batch.data(),
                         .rows = rows,
                         .cells = cells_,
                         .hidden = {top.hidden.data(), leading_},
                         .weights = weights_.output(),
                         .bias = bias,
                         .scale = loss_scale,
                         .losses = losses,
                         .wrong = wrong_.data(),
                         .gradient = gradient,
                         .hidden_gradient = top.hidden_gradient.data()},
                        stream_);
      return;
    }
  }
  products_.multiply<Operand>(rows, output_leading_, cells_, {top.hidden.data(), leading_},
                              weights_.output(), {logits_.data(), output_leading_});
  score_outputs<Operand>(output, batch.data(), rows, {logits_.data(), output_leading_}, bias,
                         loss_scale, losses, wrong_.data(), gradient, stream_);
  if (!keep) return;
  products_.multiply_bt<Operand>(rows, cells_, output_leading_,
                                 {output_gradient_.data(), output_leading_}, weights_.output(),
                                 {top.hidden_gradient.data(), cells_});
}

template <typename Operand>
void Pass<Operand>::forward_layers(const DeviceBatch& batch, bool keep) {
  if (!plan_.side_by_side) {
    for (int l = 0; l < layers(); ++l) {
      for (int s = 0; s < plan_.segments(); ++s) project_inputs(l, s, batch);
      forward_segment(l, 0, batch.rows().steps, batch, keep);
    }
    return;
  }
  fork();
  for (int segment = 0; segment < plan_.segments(); ++segment) {
    for (int l = 0; l < layers(); ++l) {
      if (l > 0) layers_[l - 1].done[segment].hold(lane(l).stream);
      project_inputs(l, segment, batch);
      forward_segment(l, plan_.bounds[segment], plan_.bounds[segment + 1], batch, keep);
      layers_[l].done[segment].record(lane(l).stream);
    }
  }
  join();
}

// If false, look_up_inputs() fills the gates first.
template <typename Operand>
bool Pass<Operand>::time_loops_take_inputs() const {
  return weights_.for_time_loops() && are_few(layout_.spec().data.input);
}

// Sets the gates to the contribution of the hidden states below.
template <typename Operand>
void Pass<Operand>::project_inputs(int l, int segment, const DeviceBatch& batch) {
  if (l == 0) return;
  const auto [row, rows] = rows_of(segment, batch);
  const int width = 4 * cells_;
  lane(l).products.template multiply<Operand>(
      rows, width, cells_, {layers_[l - 1].hidden.data() + row * leading_, leading_},
      weights_.input(l), {layers_[l].gates.data() + row * width, width});
}

template <typename Operand>
void Pass<Operand>::forward_segment(int l, int first, int end, const DeviceBatch& batch,
                                    bool keep) {
  if constexpr (std::is_same_v<Operand, __half>) {
    if (weights_.for_time_loops()) {
      Layer& layer = layers_[l];
      FewInputs inputs;
      if (l == 0 && time_loops_take_inputs()) {
        inputs = {weights_.part(layout_.input(0)), layout_.spec().data.input, batch.data()};
      }
      forward_time_loop(cells_, plan_.group,
                        {.rows = batch.rows(),
                         .inputs = inputs,
                         .first = first,
                         .end = end,
                         .weights = weights_.forward_time_loop(l),
                         .bias = weights_.part(layout_.bias(l)),
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
      products_.multiply<Operand>(
          active, 4 * cells_, cells_, {layer.previous().data + row * layer.leading, layer.leading},
          weights_.recurrent(l), {layer.gates.data() + row * 4 * cells_, 4 * cells_}, true);
    }
    forward_step<Operand>({.cells = cells_,
                           .start = starts[t],
                           .active = active,
                           .before = t > 0 ? starts[t - 1] : -1,
                           .next = starts[t + 1],
                           .still_active = t + 1 < steps ? starts[t + 2] - starts[t + 1] : 0,
                           .bias = weights_.part(layout_.bias(l)),
                           .gates = layer.gates.data(),
                           .cell_states = layer.cells.data(),
                           .hidden = {layer.hidden.data(), leading_},
                           .previous = layer.previous()},
                          stream_);
  }
}

template void Pass<__half>::forward(const DeviceBatch&, bool, float, double*);
template void Pass<float>::forward(const DeviceBatch&, bool, float, double*);

}  // namespace gradus::cuda
