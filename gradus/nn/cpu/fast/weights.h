#pragma once

#include <span>
#include <vector>

#include "gradus/nn/cpu/fast/buffer.h"
#include "gradus/nn/cpu/fast/panels.h"
#include "gradus/nn/cpu/thread_team.h"
#include "gradus/nn/layout.h"

namespace gradus::fast {

/// A network's weights in the orders that the products of both passes read. Units are padded to
/// whole blocks of 16 with zeros. In a layer of U blocks, column block 4 u + g holds gate g of the
/// units of block u, so that the four gates of a unit are computed together.
class PackedWeights {
 public:
  explicit PackedWeights(const ParameterLayout& layout);

  /// Packs `weights` (P) for the forward pass.
  void load(std::span<const float> weights, ThreadTeam& team);
  /// Packs what load() was given for the backward pass too.
  void load_transposed(ThreadTeam& team);

  int blocks() const { return blocks_; }  ///< U
  int units() const { return blocks_ * kBlock; }
  int output_blocks() const { return output_blocks_; }

  // Of block u of a layer. The packed operands of add_product() for h_{t-1} and the input from
  // below, layer > 0; the sparse input's rows of 64, layer 0; the bias's 64 numbers.
  const float* recurrent(int layer, int u) const { return at(layers_[layer].recurrent, 4 * u); }
  const float* input(int layer, int u) const { return at(layers_[layer].input, 4 * u); }
  const float* sparse_input(int u) const {
    return sparse_input_.data() + static_cast<std::size_t>(u) * inputs_ * 4 * kBlock;
  }
  const float* bias(int layer, int u) const { return layers_[layer].bias.data() + u * 4 * kBlock; }

  // Transposed: from d loss / d z to block u of h_{t-1} and of the input from below.
  const float* recurrent_transposed(int layer, int u) const {
    return at(layers_[layer].recurrent_transposed, 4 * u);
  }
  const float* input_transposed(int layer) const { return layers_[layer].input_transposed.data(); }

  const float* output() const { return output_.data(); }
  const float* output_bias() const { return output_bias_.data(); }
  /// From d loss / d logits to block u of h.
  const float* output_transposed(int u) const {
    return output_transposed_.data() +
           static_cast<std::size_t>(u) * output_blocks_ * kBlock * kBlock;
  }

 private:
  struct Layer {
    Buffer<float> recurrent;
    Buffer<float> input;
    Buffer<float> bias;
    Buffer<float> recurrent_transposed;
    Buffer<float> input_transposed;
  };

  const float* at(const Buffer<float>& packed, int block) const {
    return packed.data() + static_cast<std::size_t>(block) * units() * kBlock;
  }
  const float* part(const Slice& slice) const { return weights_.data() + slice.offset; }
  int valid(int u) const;
  void pack_unit_block(int layer, int u);
  void pack_unit_block_transposed(int layer, int u);
  void pack_output();
  void pack_output_transposed(int u);

  const ParameterLayout& layout_;
  int cells_;
  int inputs_;
  int blocks_;
  int output_blocks_;
  std::span<const float> weights_;
  std::vector<Layer> layers_;
  Buffer<float> sparse_input_;
  Buffer<float> output_;
  Buffer<float> output_bias_;
  Buffer<float> output_transposed_;
};

}  // namespace gradus::fast
