// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/fast/lstm.h"

#include <algorithm>

#include "gradus/nn/cpu/fast/gates.h"
#include "gradus/nn/cpu/fast/scores.h"

namespace gradus::fast {

FastLstm::FastLstm(const ParameterLayout& layout, ThreadTeam& team, double largest_derivative)
    : layout_(layout),
      team_(team),
      largest_derivative_(largest_derivative),
      weights_(layout),
      meetings_(team.threads()),
      layers_(layout.spec().layers),
      starts_(team.threads()),
      cell_gradients_(team.threads()) {}

Evaluation FastLstm::evaluate(const Batch& batch) {
  lay_out(batch, false);
  team_.run_in_place(team_.threads(), [&](int thread) {
    forward(thread, false);
    score(thread, 0);
  });
  return add_up(batch);
}

Evaluation FastLstm::differentiate(const Batch& batch, std::span<float> gradient) {
  lay_out(batch, true);
  prepare_backward(gradient);
  const float scale = 1.0f / static_cast<float>(batch.sequences);
  bound_ = static_cast<float>(largest_derivative_) * scale;
  team_.run_in_place(team_.threads(), [&](int thread) {
    forward(thread, true);
    score(thread, scale);
    backward(thread, gradient);
  });
  if (rows_.parts() > 1) add_parts(gradient);
  return add_up(batch);
}

Panels<float> FastLstm::units_from(const Buffer<float>& panels, std::size_t row,
                                   std::size_t stride) const {
  return {at(panels, 0, row), kBlock, panel_ * kBlock, kBlock, stride};
}

Panels<float> FastLstm::gates_from(int layer, std::size_t row, std::size_t stride) const {
  return {gates_at(layer, 0, row), 4 * kBlock, panel_ * 4 * kBlock, 4 * kBlock, stride};
}

Panels<float> FastLstm::outputs_from(std::size_t number) const {
  return {outputs_.data() + number * kBlock, kBlock, scored_panel_ * kBlock, kBlock};
}

void FastLstm::meet(int worker) {
  if (split_.unit_groups > 1) {
    meetings_[split_.row_group(worker)].wait_for_all(split_.unit_groups);
  }
}

// If two threads take one part of the batch each, neither reads the other's data before the end, so
// they need no barrier.
void FastLstm::end_stage() {
  const int threads = team_.threads();
  if (threads == kParts && split_.row_groups == kParts) return;
  if (threads > 1) stage_end_.wait_for_all(threads);
}

void FastLstm::lay_out(const Batch& batch, bool keep_gates) {
  rows_.lay_out(batch, layout_.spec().data.input);
  split_ = split_for(team_.threads(), batch.sequences, weights_.blocks());
  panel_ = rows_.padded();
  const std::size_t numbers = panel_ * weights_.units();
  for (Layer& layer : layers_) {
    if (keep_gates) layer.gates.resize(4 * numbers);
    if (keep_gates) layer.squashed.resize(numbers);
    layer.cells.resize(numbers);
    layer.hidden.resize(numbers);
  }
  for (Buffer<float>& start : starts_) {
    start.resize(static_cast<std::size_t>(batch.sequences) * 4 * kBlock);
  }
  const std::size_t scored = rows_.scored().size();
  scored_panel_ = rows_.padded_scored();
  outputs_.resize(scored_panel_ * weights_.output_blocks() * kBlock);
  losses_.resize(scored);
  wrong_.resize(scored);
}

void FastLstm::forward(int thread, bool keep_gates) {
  if (thread < split_.workers()) {
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      forward_layer(static_cast<int>(l), thread, keep_gates);
    }
  }
  end_stage();
}

void FastLstm::forward_layer(int layer, int worker, bool keep_gates) {
  const int last = split_.last_block(worker, weights_.blocks());
  for (int t = 0; t < rows_.steps(); ++t) {
    for (int u = split_.first_block(worker, weights_.blocks()); u < last; ++u) {
      forward_block(layer, t, u, worker, keep_gates);
    }
    meet(worker);
  }
}

// Computes the four gates of a block of units, from preactivations to h_t, while they are in the L1
// cache.
void FastLstm::forward_block(int l, int t, int u, int worker, bool keep_gates) {
  const Layer& layer = layers_[l];
  const int rows = split_.rows(worker, rows_.active(t));
  const std::size_t stride = own_stride();
  const std::size_t row = rows_.at(t, split_.first_row(worker));
  const std::size_t before = t > 0 ? rows_.at(t - 1, split_.first_row(worker)) : 0;
  float* z = starts_[worker].data();
  float* cells = at(layer.cells, u, row);
  float* hidden = at(layer.hidden, u, row);
  GateRows at_step{rows, stride};
  if (keep_gates) {
    at_step.gates = gates_at(l, u, row);
    at_step.squashed = at(layer.squashed, u, row);
  }
  if (t > 0) at_step.cells_before = at(layer.cells, u, before);

  const Panels<float> to = {z, 4 * kBlock, kBlock, kBlock};
  start_gates(rows, weights_.bias(l, u), l == 0 ? &rows_.inputs() : nullptr, row, stride,
              weights_.sparse_input(u), z);
  if (l > 0) {
    add_product(rows, weights_.units(), units_from(layers_[l - 1].hidden, row, stride),
                weights_.input(l, u), 4, to);
  }
  if (t > 0) {
    add_product(rows, weights_.units(), units_from(layer.hidden, before, stride),
                weights_.recurrent(l, u), 4, to);
  }
  forward_gates(at_step, z, cells, hidden);
}

void FastLstm::score(int thread, float gradient_scale) {
  for_each_stretch(thread, &Part::scored,
                   [&](const Stretch& stretch) { score_stretch(stretch, gradient_scale); });
}

void FastLstm::score_stretch(const Stretch& stretch, float gradient_scale) {
  const std::size_t first = stretch.b;
  const Panels<float> outputs = outputs_from(first);
  for (int k = 0; k < weights_.output_blocks(); ++k) {
    for (int n = 0; n < stretch.count; ++n) {
      std::copy_n(weights_.output_bias() + k * kBlock, kBlock, outputs.block(k) + n * kBlock);
    }
  }
  add_product(stretch.count, weights_.units(), units_from(layers_.back().hidden, stretch.a, kQuad),
              weights_.output_weight(), weights_.output_blocks(), outputs);
  score_rows(layout_.spec().data.output, stretch.count, rows_.targets().data() + first,
             gradient_scale, outputs, losses_.data() + first, wrong_.data() + first);
}

Evaluation FastLstm::add_up(const Batch& batch) {
  Evaluation evaluation;
  for (const double loss : losses_) evaluation.total_loss += loss;
  answers_.start(batch.sequences);
  for (std::size_t n = 0; n < losses_.size(); ++n) {
    const ScoredOutput& scored = rows_.scored()[n];
    answers_.add(scored.sequence, scored.step, wrong_[n] != 0, evaluation);
  }
  return evaluation;
}

}  // namespace gradus::fast
