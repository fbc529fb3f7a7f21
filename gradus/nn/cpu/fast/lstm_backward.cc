// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "gradus/nn/cpu/fast/gates.h"
#include "gradus/nn/cpu/fast/lstm.h"

namespace gradus::fast {
namespace {

// Parameters that a thread clears or adds per job, and the number of such jobs.
constexpr std::size_t kStretch = 4096;

int stretches(std::size_t parameters) {
  return static_cast<int>((parameters + kStretch - 1) / kStretch);
}

}  // namespace

void FastLstm::prepare_backward(std::span<float> gradient) {
  weights_.load_transposed(team_);
  for (std::size_t l = 0; l < std::min<std::size_t>(layers_.size(), 2); ++l) {
    hidden_gradients_[l].resize(panel_ * weights_.units());
  }
  second_gradient_.resize(gradient.size());
  for (Buffer<float>& cells : cell_gradients_) {
    cells.resize(static_cast<std::size_t>(rows_.sequences()) * weights_.units());
  }
}

void FastLstm::backward(int thread, std::span<float> gradient) {
  const int blocks = weights_.blocks();
  const int top = static_cast<int>(layers_.size()) - 1;
  float* const to[kParts] = {gradient.data(), second_gradient_.data()};
  for_each_part(thread, stretches(gradient.size()), [&](int part, int number) {
    const std::size_t first = number * kStretch;
    std::fill(to[part] + first, to[part] + std::min(first + kStretch, gradient.size()), 0.0f);
  });

  for_each_part(thread, (blocks + 1) / 2,
                [&](int part, int pair) { output_gradient(part, 2 * pair, to[part]); });
  for_each_stretch(thread, &Part::all,
                   [&](const Stretch& rows) { clear(hidden_gradient(top), rows); });
  for_each_stretch(thread, &Part::scored, [&](const Stretch& rows) { backward_output(rows); });
  for (int layer = top; layer >= 0; --layer) {
    if (thread < split_.workers()) backward_layer(layer, thread);
    end_stage();
    for_each_part(thread, blocks,
                  [&](int part, int u) { weight_gradient(layer, part, u, to[part]); });
    if (layer == 0) return;
    for_each_stretch(thread, &Part::all, [&](const Stretch& rows) { gradient_below(layer, rows); });
  }
}

void FastLstm::clear(const Buffer<float>& panels, const Stretch& stretch) {
  for (int u = 0; u < weights_.blocks(); ++u) {
    std::fill_n(at(panels, u, stretch.a), stretch.count * kBlock, 0.0f);
  }
}

// Adds the outputs' contribution to d loss / d h of the top layer, for some scored rows.
void FastLstm::backward_output(const Stretch& stretch) {
  add_product(stretch.count, weights_.output_blocks() * kBlock, outputs_from(stretch.b),
              weights_.output_transposed(), weights_.blocks(),
              units_from(hidden_gradient(static_cast<int>(layers_.size()) - 1), stretch.a, kQuad));
}

// Gradient of the output weights of unit blocks u and u + 1.
void FastLstm::output_gradient(int part, int u, float* gradient) const {
  const Slice& slice = layout_.output_weight();
  const int last = std::min((u + 2) * kBlock, layout_.spec().cells);
  const Panels<const float> hidden = units_from(layers_.back().hidden, 0, kQuad);
  const Chunks& chunks = rows_.part(part).scored;
  for (int k = 0; k < weights_.output_blocks(); ++k) {
    Panels<const float> outputs = outputs_from(0);
    outputs.data = outputs.block(k);
    const Destination to = {gradient + slice.offset + k * kBlock,
                            static_cast<std::size_t>(slice.columns),
                            std::min(kBlock, slice.columns - k * kBlock)};
    for (int chunk = 0; chunk < chunks.size(); ++chunk) {
      add_transposed_product(chunks[chunk], u * kBlock, last, hidden, outputs, {&to, 1});
    }
  }
  if (u == 0) output_bias_gradient(part, gradient + layout_.output_bias().offset);
}

void FastLstm::output_bias_gradient(int part, float* gradient) const {
  const int width = layout_.output_bias().columns;
  const Chunks& chunks = rows_.part(part).scored;
  for (int j = 0; j < width; ++j) {
    const float* from = outputs_.data() + j / kBlock * scored_panel_ * kBlock + j % kBlock;
    double sum = 0;
    for (int chunk = 0; chunk < chunks.size(); ++chunk) {
      for (const Stretch& stretch : chunks[chunk]) {
        for (int n = 0; n < stretch.count; ++n) sum += from[(stretch.b + n) * kBlock];
      }
    }
    gradient[j] = static_cast<float>(sum);
  }
}

void FastLstm::backward_layer(int layer, int worker) {
  const int first = split_.first_block(worker, weights_.blocks());
  const int last = split_.last_block(worker, weights_.blocks());
  const int rows = split_.rows(worker, rows_.sequences());
  std::fill_n(cell_gradients_[worker].data(), static_cast<std::size_t>(rows) * weights_.units(),
              0.0f);
  for (int t = rows_.steps() - 1; t >= 0; --t) {
    for (int u = first; u < last; u += 2)
      backward_blocks(layer, t, u, std::min(2, last - u), worker);
    meet(worker);
  }
}

// Adds what comes from step t + 1 to d loss / d h_t of `blocks` blocks of units from u on, then
// computes their d loss / d z.
void FastLstm::backward_blocks(int l, int t, int u, int blocks, int worker) {
  const std::size_t stride = own_stride();
  const int first = split_.first_row(worker);
  const std::size_t row = rows_.at(t, first);
  const int later = split_.rows(worker, rows_.active(t + 1));
  if (later > 0) {
    Panels<float> to = units_from(hidden_gradient(l), row, stride);
    to.data = to.block(u);
    add_product(later, 4 * weights_.units(), gates_from(l, rows_.at(t + 1, first), stride),
                weights_.recurrent_transposed(l, u), blocks, to);
  }
  const std::size_t cells =
      static_cast<std::size_t>(split_.rows(worker, rows_.sequences())) * kBlock;
  for (int k = u; k < u + blocks; ++k) {
    GateRows at_step{split_.rows(worker, rows_.active(t)), stride, gates_at(l, k, row),
                     at(layers_[l].squashed, k, row)};
    if (t > 0) at_step.cells_before = at(layers_[l].cells, k, rows_.at(t - 1, first));
    backward_gates(at_step, bound_, at(hidden_gradient(l), k, row),
                   cell_gradients_[worker].data() + k * cells);
  }
}

// Weight gradients of a layer, columns of block u's gates: one product over all time steps.
void FastLstm::weight_gradient(int layer, int part, int u, float* gradient) const {
  const int cells = layout_.spec().cells;
  const auto destinations = [&](const Slice& slice) {
    std::array<Destination, 4> to;
    for (int gate = 0; gate < 4; ++gate) {
      to[gate] = {gradient + slice.offset + gate * cells + u * kBlock,
                  static_cast<std::size_t>(slice.columns), std::min(kBlock, cells - u * kBlock)};
    }
    return to;
  };
  const Panels<const float> gates = {gates_at(layer, u, 0), 4 * kBlock, 0, 4 * kBlock};
  const auto add = [&](const Chunks& chunks, const Buffer<float>& hidden, const Slice& slice) {
    for (int chunk = 0; chunk < chunks.size(); ++chunk) {
      add_transposed_product(chunks[chunk], 0, cells, units_from(hidden, 0, kQuad), gates,
                             destinations(slice));
    }
  };
  const Part& rows = rows_.part(part);
  add(rows.shifted, layers_[layer].hidden, layout_.recurrent(layer));
  if (layer > 0) add(rows.all, layers_[layer - 1].hidden, layout_.input(layer));
  for (int chunk = 0; chunk < rows.all.size(); ++chunk) {
    add_input_gradient(rows.all[chunk], gates.data, layer == 0 ? &rows_.inputs() : nullptr,
                       destinations(layout_.bias(layer)), destinations(layout_.input(layer)));
  }
}

void FastLstm::gradient_below(int layer, const Stretch& stretch) {
  clear(hidden_gradient(layer - 1), stretch);
  add_product(stretch.count, 4 * weights_.units(), gates_from(layer, stretch.a, kQuad),
              weights_.input_transposed(layer), weights_.blocks(),
              units_from(hidden_gradient(layer - 1), stretch.a, kQuad));
}

void FastLstm::add_parts(std::span<float> gradient) {
  const float* second = second_gradient_.data();
  team_.run_shares(stretches(gradient.size()), [&](int stretch) {
    const std::size_t last = std::min((stretch + 1) * kStretch, gradient.size());
    for (std::size_t i = stretch * kStretch; i < last; ++i) gradient[i] += second[i];
  });
}

}  // namespace gradus::fast
