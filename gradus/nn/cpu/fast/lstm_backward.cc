#include <algorithm>
#include <array>
#include <utility>

#include "gradus/nn/cpu/fast/gates.h"
#include "gradus/nn/cpu/fast/lstm.h"

namespace gradus::fast {

void FastLstm::backward(std::span<float> gradient) {
  weights_.load_transposed(team_);
  const int blocks = weights_.blocks();
  const int sequences = rows_.active(0);
  hidden_gradient_.resize(panel_ * weights_.units());
  gradient_below_.resize(layers_.size() > 1 ? panel_ * weights_.units() : 0);
  cell_gradient_.resize(static_cast<std::size_t>(sequences) * weights_.units());
  scored_gradient_.resize(scored_panel_ * weights_.units());
  const std::size_t share = gradient.size() / blocks + 1;
  team_.run(blocks, [&](int part) {
    const std::size_t first = std::min(part * share, gradient.size());
    const std::size_t last = std::min(first + share, gradient.size());
    std::fill(gradient.begin() + first, gradient.begin() + last, 0.0f);
  });

  const Slice& output = layout_.output_weight();
  output_to_.clear();
  for (int k = 0; k < weights_.output_blocks(); ++k) {
    output_to_.push_back({gradient.data() + output.offset + k * kBlock,
                          static_cast<std::size_t>(output.columns),
                          std::min(kBlock, output.columns - k * kBlock)});
  }
  team_.run((blocks + 1) / 2, [&](int pair) { backward_output(2 * pair, gradient); });
  for (int layer = static_cast<int>(layers_.size()) - 1; layer >= 0; --layer) {
    team_.run_in_place(split_.workers(), [&](int worker) { backward_layer(layer, worker); });
    team_.run(blocks, [&](int u) { weight_gradient(layer, u, gradient); });
    if (layer == 0) continue;
    const Chunks& chunks = rows_.all();
    team_.run(chunks.size(), [&](int chunk) {
      for (const Stretch& stretch : chunks[chunk]) gradient_below(layer, stretch);
    });
    std::swap(hidden_gradient_, gradient_below_);
  }
}

// What the outputs say of blocks u and u + 1 of the top layer: the gradient of their output weights
// and of their h, which is 0 in rows that are not scored.
void FastLstm::backward_output(int u, std::span<float> gradient) {
  const int blocks = std::min(2, weights_.blocks() - u);
  const int last = std::min((u + blocks) * kBlock, layout_.spec().cells);
  const int scored = static_cast<int>(rows_.scored().size());
  const std::size_t panel = scored_panel_ * kBlock;
  const Panels<const float> outputs = {outputs_.data(), kBlock, panel, kBlock};
  const Panels<const float> hidden = {scored_hidden_.data(), kBlock, panel, kBlock};
  const Chunks& chunks = rows_.scored_chunks();
  for (int chunk = 0; chunk < chunks.size(); ++chunk) {
    add_transposed_product(chunks[chunk], u * kBlock, last, hidden, outputs, output_to_);
  }
  if (u == 0) output_bias_gradient(gradient.data() + layout_.output_bias().offset);

  const Panels<float> to = {scored_gradient_.data() + u * panel, kBlock, panel, kBlock};
  for (int k = 0; k < blocks; ++k) std::fill_n(to.block(k), scored * kBlock, 0.0f);
  add_product(scored, weights_.output_blocks() * kBlock, outputs, weights_.output_transposed(u),
              blocks, to);
  for (int k = 0; k < blocks; ++k) {
    std::fill_n(at(hidden_gradient_, u + k, 0), rows_.count() * kBlock, 0.0f);
    for (int n = 0; n < scored; ++n) {
      std::copy_n(to.block(k) + n * kBlock, kBlock, at(hidden_gradient_, u + k, rows_.scored()[n]));
    }
  }
}

void FastLstm::output_bias_gradient(float* gradient) const {
  for (const Destination& destination : output_to_) {
    const std::size_t block = &destination - output_to_.data();
    const float* from = outputs_.data() + block * scored_panel_ * kBlock;
    double sums[kBlock] = {};
    for (std::size_t n = 0; n < rows_.scored().size(); ++n) {
      for (int j = 0; j < kBlock; ++j) sums[j] += from[n * kBlock + j];
    }
    for (int j = 0; j < destination.columns; ++j) {
      gradient[block * kBlock + j] = static_cast<float>(sums[j]);
    }
  }
}

void FastLstm::backward_layer(int layer, int worker) {
  const int first = split_.first_block(worker, weights_.blocks());
  const int last = split_.last_block(worker, weights_.blocks());
  const std::size_t sequences = rows_.active(0);
  for (int u = first; u < last; ++u) {
    for (int row = 0; row < split_.rows(worker, static_cast<int>(sequences)); ++row) {
      const std::size_t b = split_.first_row(worker) + row_of_group(row, split_.row_groups);
      std::fill_n(cell_gradient_.data() + (u * sequences + b) * kBlock, kBlock, 0.0f);
    }
  }
  for (int t = rows_.steps() - 1; t >= 0; --t) {
    for (int u = first; u < last; u += 2)
      backward_blocks(layer, t, u, std::min(2, last - u), worker);
    meet(worker);
  }
}

// d loss / d h_t of `blocks` blocks of units from u on, complete with what comes from step t + 1,
// and from there d loss / d z.
void FastLstm::backward_blocks(int l, int t, int u, int blocks, int worker) {
  const int groups = split_.row_groups;
  const std::size_t first = split_.first_row(worker);
  const std::size_t row = rows_.start(t) + first;
  GateRows at_step[2];
  float* cell_gradient[2];
  for (int k = 0; k < blocks; ++k) {
    at_step[k] = {split_.rows(worker, rows_.active(t)), groups, gates_at(l, u + k, row),
                  at(layers_[l].squashed, u + k, row), nullptr};
    if (t > 0) {
      at_step[k].cells_before = at(layers_[l].cells, u + k, rows_.start(t - 1) + first);
    }
    cell_gradient[k] = cell_gradient_.data() +
                       (static_cast<std::size_t>(u + k) * rows_.active(0) + first) * kBlock;
    expect_writes(at_step[k], cell_gradient[k], at_step[k].cells_before);
  }
  const int later = split_.rows(worker, rows_.active(t + 1));
  if (later > 0) {
    Panels<float> to = units_from(hidden_gradient_, row, groups);
    to.data = to.block(u);
    add_product(later, 4 * weights_.units(), gates_from(l, rows_.start(t + 1) + first, groups),
                weights_.recurrent_transposed(l, u), blocks, to);
  }
  for (int k = 0; k < blocks; ++k) {
    backward_gates(at_step[k], at(hidden_gradient_, u + k, row), cell_gradient[k]);
  }
}

// The columns of block u's gates in the weight gradients of a layer: one product over all steps.
void FastLstm::weight_gradient(int layer, int u, std::span<float> gradient) {
  const int cells = layout_.spec().cells;
  const auto destinations = [&](const Slice& slice) {
    std::array<Destination, 4> to;
    for (int gate = 0; gate < 4; ++gate) {
      to[gate] = {gradient.data() + slice.offset + gate * cells + u * kBlock,
                  static_cast<std::size_t>(slice.columns), std::min(kBlock, cells - u * kBlock)};
    }
    return to;
  };
  const Panels<const float> gates = {gates_at(layer, u, 0), 4 * kBlock, 0, 4 * kBlock};
  const auto add = [&](const Chunks& chunks, const Buffer<float>& hidden, const Slice& slice) {
    for (int chunk = 0; chunk < chunks.size(); ++chunk) {
      add_transposed_product(chunks[chunk], 0, cells, units_from(hidden, 0, 1), gates,
                             destinations(slice));
    }
  };
  add(rows_.shifted(), layers_[layer].hidden, layout_.recurrent(layer));
  if (layer > 0) add(rows_.all(), layers_[layer - 1].hidden, layout_.input(layer));
  add_input_gradient(rows_.count(), gates.data, layer == 0 ? &rows_.inputs() : nullptr,
                     destinations(layout_.bias(layer)), destinations(layout_.input(layer)));
}

void FastLstm::gradient_below(int layer, const Stretch& stretch) {
  const Panels<float> to = units_from(gradient_below_, stretch.a, 1);
  for (int u = 0; u < weights_.blocks(); ++u) {
    std::fill_n(to.block(u), stretch.count * kBlock, 0.0f);
  }
  add_product(stretch.count, 4 * weights_.units(), gates_from(layer, stretch.a, 1),
              weights_.input_transposed(layer), weights_.blocks(), to);
}

}  // namespace gradus::fast
