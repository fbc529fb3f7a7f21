// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gradus/core/answers.h"
#include "gradus/nn/cpu/fast/buffer.h"
#include "gradus/nn/cpu/fast/products.h"
#include "gradus/nn/cpu/fast/rows.h"
#include "gradus/nn/cpu/fast/split.h"
#include "gradus/nn/cpu/fast/weights.h"
#include "gradus/nn/cpu/pass.h"

namespace gradus::fast {

/// Fast version of LstmPass in float. All data of a batch is in panels of 16 units, (U, M, 16), so
/// that every product streams through memory: the products of a time step read along the panels for
/// a few rows, those of the weight gradients read down the rows of two panels. The order of every
/// sum depends on the batch alone.
class FastLstm final : public NetworkPass<float> {
 public:
  FastLstm(const ParameterLayout& layout, ThreadTeam& team,
           double largest_derivative = std::numeric_limits<double>::infinity());

  void load(std::span<const float> weights) override { weights_.load(weights, team_); }
  Evaluation evaluate(const Batch& batch) override;
  Evaluation differentiate(const Batch& batch, std::span<float> gradient) override;

 private:
  struct Layer {
    Buffer<float> gates;     // (U, M, 64) activations; backward() replaces them by d loss / d z
    Buffer<float> cells;     // (U, M, 16) c_t
    Buffer<float> squashed;  // (U, M, 16) tanh(c_t)
    Buffer<float> hidden;    // (U, M, 16) h_t
  };

  void lay_out(const Batch& batch, bool keep_gates);
  void prepare_backward(std::span<float> gradient);

  // Stages of a pass. Every thread runs all of them and does its share of each.
  void forward(int thread, bool keep_gates);
  void forward_layer(int layer, int worker, bool keep_gates);
  void forward_block(int layer, int t, int u, int worker, bool keep_gates);
  void score(int thread, float gradient_scale);
  void score_stretch(const Stretch& stretch, float gradient_scale);
  void backward(int thread, std::span<float> gradient);
  void clear(const Buffer<float>& panels, const Stretch& stretch);
  void backward_output(const Stretch& stretch);
  void output_gradient(int part, int block, float* gradient) const;
  void output_bias_gradient(int part, float* gradient) const;
  void backward_layer(int layer, int worker);
  void backward_blocks(int layer, int t, int u, int blocks, int worker);
  void weight_gradient(int layer, int part, int u, float* gradient) const;
  void gradient_below(int layer, const Stretch& stretch);
  void meet(int worker);
  void end_stage();

  void add_parts(std::span<float> gradient);
  Evaluation add_up(const Batch& batch);

  // One stage: calls job(stretch) for all stretches of both parts, or job(part, block) for
  // `blocks` blocks of each part. With two threads, each takes the part whose time steps it ran.
  template <typename Job>
  void for_each_stretch(int thread, Chunks Part::*rows, Job job);
  template <typename Job>
  void for_each_part(int thread, int blocks, Job job);

  // Pointer to row `row` of block u.
  float* at(const Buffer<float>& panels, int u, std::size_t row) const {
    return panels.data() + (u * panel_ + row) * kBlock;
  }
  float* gates_at(int layer, int u, std::size_t row) const {
    return layers_[layer].gates.data() + (u * panel_ + row) * 4 * kBlock;
  }
  // All blocks from row `row` on; quads are `stride` rows apart.
  Panels<float> units_from(const Buffer<float>& panels, std::size_t row, std::size_t stride) const;
  Panels<float> gates_from(int layer, std::size_t row, std::size_t stride) const;
  // Logits of the scored rows, or their gradients, from scored row `number` on.
  Panels<float> outputs_from(std::size_t number) const;
  // d loss / d h of a layer.
  Buffer<float>& hidden_gradient(int layer) { return hidden_gradients_[layer % 2]; }
  // Rows from one quad of a worker to its next.
  std::size_t own_stride() const { return split_.row_groups * rows_.quad_stride(); }

  const ParameterLayout& layout_;
  ThreadTeam& team_;
  const double largest_derivative_;
  float bound_ = 0;  // bound on d loss / d z, scaled like the loss
  PackedWeights weights_;
  Rows rows_;
  Split split_;
  std::vector<Meeting> meetings_;  // one per row group
  Meeting stage_end_;              // for all threads
  std::size_t panel_ = 0;          // rows of a panel, with padding: the M of the shapes below
  std::size_t scored_panel_ = 0;   // the same for the scored rows
  std::vector<Layer> layers_;
  // One per worker: preactivations of a block, (rows, 64), and d loss / d c carried over from step
  // t + 1, (U, rows, 16).
  std::vector<Buffer<float>> starts_;
  std::vector<Buffer<float>> cell_gradients_;
  Buffer<float> outputs_;              // (output blocks, scored, 16) logits, then d loss / d logit
  Buffer<float> hidden_gradients_[2];  // (U, M, 16) for even and for odd layers
  Buffer<float> second_gradient_;      // (P) gradient of the second part
  std::vector<double> losses_;         // one per scored row
  std::vector<std::uint8_t> wrong_;
  AnswerCounter answers_;
};

template <typename Job>
void FastLstm::for_each_part(int thread, int blocks, Job job) {
  const Share share = share_of(thread, team_.threads(), rows_.parts() * blocks);
  for (int k = share.first; k < share.last; ++k) job(k / blocks, k % blocks);
  end_stage();
}

template <typename Job>
void FastLstm::for_each_stretch(int thread, Chunks Part::*rows, Job job) {
  const auto chunks = [&](int part) -> const Chunks& { return rows_.part(part).*rows; };
  const int most = std::max(chunks(0).size(), chunks(1).size());
  for_each_part(thread, most, [&](int part, int chunk) {
    if (chunk >= chunks(part).size()) return;
    for (const Stretch& stretch : chunks(part)[chunk]) job(stretch);
  });
}

}  // namespace gradus::fast
