#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gradus/nn/cpu/fast/buffer.h"
#include "gradus/nn/cpu/fast/products.h"
#include "gradus/nn/cpu/fast/rows.h"
#include "gradus/nn/cpu/fast/split.h"
#include "gradus/nn/cpu/fast/weights.h"
#include "gradus/nn/cpu/pass.h"

namespace gradus::fast {

/// The pass of LstmPass in float at the speed of the machine. All that is kept of a batch lies in
/// panels of 16 units, (U, M, 16), so that every product streams through memory: those of a step
/// run along the panels for a few rows, those of the weight gradients down the rows of two panels.
/// Every number is the result of one chain of additions whose order the batch alone decides.
class FastLstm final : public NetworkPass<float> {
 public:
  FastLstm(const ParameterLayout& layout, ThreadTeam& team);

  void load(std::span<const float> weights) override { weights_.load(weights, team_); }
  Evaluation evaluate(const Batch& batch) override;
  Evaluation differentiate(const Batch& batch, std::span<float> gradient) override;

 private:
  struct Layer {
    Buffer<float> gates;     // (U, M, 64) activations; backward turns them into d loss / d z
    Buffer<float> cells;     // (U, M, 16) c_t
    Buffer<float> squashed;  // (U, M, 16) tanh(c_t)
    Buffer<float> hidden;    // (U, M, 16) h_t
  };

  void forward(const Batch& batch, bool keep_gates);
  void forward_layer(int layer, int worker, bool keep_gates);
  void forward_block(int layer, int t, int u, int worker, bool keep_gates);
  void score(float gradient_scale);
  void score_stretch(const Stretch& stretch, float gradient_scale);
  Evaluation add_up(const Batch& batch);

  void backward(std::span<float> gradient);
  void backward_output(int block, std::span<float> gradient);
  void output_bias_gradient(float* gradient) const;
  void backward_layer(int layer, int worker);
  void backward_blocks(int layer, int t, int u, int blocks, int worker);
  void weight_gradient(int layer, int u, std::span<float> gradient);
  void gradient_below(int layer, const Stretch& stretch);
  void meet(int worker);

  // Row `row` of block u.
  float* at(const Buffer<float>& panels, int u, std::size_t row) const {
    return panels.data() + (u * panel_ + row) * kBlock;
  }
  float* gates_at(int layer, int u, std::size_t row) const {
    return layers_[layer].gates.data() + (u * panel_ + row) * 4 * kBlock;
  }
  // The rows of one of `groups` from row `row` on.
  Panels<float> units_from(const Buffer<float>& panels, std::size_t row, int groups) const;
  Panels<float> gates_from(int layer, std::size_t row, int groups) const;

  const ParameterLayout& layout_;
  ThreadTeam& team_;
  PackedWeights weights_;
  Rows rows_;
  Split split_;
  std::vector<Meeting> meetings_;  // one a row group
  std::size_t panel_ = 0;          // rows of a panel of M rows, with its gap
  std::size_t scored_panel_ = 0;   // the same for the scored rows
  std::vector<Layer> layers_;
  std::vector<Buffer<float>> starts_;   // one a worker: preactivations of a block, (rows, 64)
  Buffer<float> scored_hidden_;         // (U, scored, 16)
  Buffer<float> scored_gradient_;       // (U, scored, 16) d loss / d h of the scored rows
  Buffer<float> outputs_;               // (output blocks, scored, 16) logits, then d loss / d logit
  std::vector<Destination> output_to_;  // where the gradient of the output weights goes
  Buffer<float> hidden_gradient_;       // (U, M, 16) d loss / d h of the layer at hand
  Buffer<float> gradient_below_;        // (U, M, 16) the same for the layer below
  Buffer<float> cell_gradient_;         // (U, B, 16) d loss / d c carried from step t + 1
  std::vector<double> losses_;          // of the scored rows
  std::vector<std::uint8_t> wrong_;
  std::vector<std::uint8_t> answering_;  // (B) 1 within an answer, 2 where it is wrong already
};

}  // namespace gradus::fast
