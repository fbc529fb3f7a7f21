// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "gradus/nn/cpu/fast/buffer.h"
#include "gradus/nn/cpu/fast/panels.h"
#include "gradus/nn/cpu/thread_team.h"
#include "gradus/nn/layout.h"

namespace gradus::fast {

/// A network's weights in the layouts that the products of both passes read. Units are zero-padded
/// to whole blocks of 16. In a layer of U blocks, column block 4 u + g holds gate g of the units of
/// block u, so that a unit's four gates are computed together.
class PackedWeights {
 public:
  explicit PackedWeights(const ParameterLayout& layout);

  /// Packs `weights` (P) for the forward pass.
  void load(std::span<const float> weights, ThreadTeam& team);
  /// Packs the weights of the last load() for the backward pass too.
  void load_transposed(ThreadTeam& team);

  int blocks() const { return blocks_; }  ///< U
  int units() const { return blocks_ * kBlock; }
  int output_blocks() const { return output().column_blocks; }

  // Parts of a layer's block u. recurrent(), input(): packed operands of add_product() for h_{t-1}
  // and, for layers above 0, for the input from below. sparse_input(): rows of 64 of layer 0's
  // input matrix. bias(): 64 numbers.
  const float* recurrent(int l, int u) const { return recurrent(l).columns(4 * u); }
  const float* input(int l, int u) const { return input(l).columns(4 * u); }
  const float* sparse_input(int u) const { return input(0).columns(4 * u); }
  const float* bias(int l, int u) const { return matrices_[std::size_t{3} * l + 2].columns(4 * u); }

  // Transposed operands: from d loss / d z to block u of d loss / d h_{t-1}, and to the gradient of
  // the input from below.
  const float* recurrent_transposed(int l, int u) const { return recurrent(l).transposed_rows(u); }
  const float* input_transposed(int l) const { return input(l).transposed_rows(0); }

  const float* output_weight() const { return output().columns(0); }
  const float* output_bias() const { return matrices_.back().columns(0); }
  /// Maps d loss / d logits to d loss / d h.
  const float* output_transposed() const { return output().transposed_rows(0); }

 private:
  struct Matrix {
    Slice slice;
    int gates;         // number of equal parts of the columns; packed blocks alternate between them
    bool for_product;  // rows are units, and there is a transposed form; if false, a packed row has
                       // all gates
    int rows;          // including padding
    int column_blocks;
    Buffer<float> packed;
    Buffer<float> transposed;

    float* columns(int block) const {
      return packed.data() + static_cast<std::size_t>(block) * rows * kBlock;
    }
    const float* transposed_rows(int block) const {
      return transposed.data() + static_cast<std::size_t>(block) * column_blocks * kBlock * kBlock;
    }
  };
  // Sixteen rows of a matrix, the unit of packing.
  struct RowBlock {
    int matrix;
    int block;
  };

  void add(const Slice& slice, int gates, bool for_product);
  void pack(const Matrix& matrix, int row_block, const float* weights) const;

  const Matrix& input(int l) const { return matrices_[std::size_t{3} * l]; }
  const Matrix& recurrent(int l) const { return matrices_[std::size_t{3} * l + 1]; }
  const Matrix& output() const { return matrices_[matrices_.size() - 2]; }

  int blocks_;
  std::vector<Matrix> matrices_;  // in the order of ParameterLayout::slices()
  std::vector<RowBlock> row_blocks_;
};

}  // namespace gradus::fast
