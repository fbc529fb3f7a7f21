// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/fast/weights.h"

#include <algorithm>
#include <utility>

#include "gradus/nn/cpu/fast/passes.h"

namespace gradus::fast {
namespace {

// Fast path with a constant size: nearly all blocks are whole.
inline void copy(const float* from, int count, float* to) {
  if (count == kBlock) {
    std::copy_n(from, kBlock, to);
  } else {
    std::copy_n(from, count, to);
  }
}

}  // namespace

PackedWeights::PackedWeights(const ParameterLayout& layout)
    : blocks_(blocks_of(layout.spec().cells)) {
  for (int l = 0; l < layout.spec().layers; ++l) {
    add(layout.input(l), 4, l > 0);
    add(layout.recurrent(l), 4, true);
    add(layout.bias(l), 4, false);
  }
  add(layout.output_weight(), 1, true);
  add(layout.output_bias(), 1, false);
  // run_shares() gives neighbours to the same thread. Sorting by block gives each thread a similar
  // share of every matrix.
  std::stable_sort(row_blocks_.begin(), row_blocks_.end(),
                   [](const RowBlock& a, const RowBlock& b) { return a.block < b.block; });
}

void PackedWeights::add(const Slice& slice, int gates, bool for_product) {
  const int number = static_cast<int>(matrices_.size());
  for (int block = 0; block < blocks_of(slice.rows); ++block)
    row_blocks_.push_back({number, block});
  Matrix matrix{slice,
                gates,
                for_product,
                for_product ? units() : slice.rows,
                gates * blocks_of(slice.columns / gates),
                {},
                {}};
  const std::size_t size = static_cast<std::size_t>(matrix.rows) * matrix.column_blocks * kBlock;
  matrix.packed.resize(size);
  std::fill_n(matrix.packed.data(), size, 0.0f);  // padding stays 0
  if (for_product) matrix.transposed.resize(size);
  matrices_.push_back(std::move(matrix));
}

void PackedWeights::load(std::span<const float> weights, ThreadTeam& team) {
  team.run_shares(static_cast<int>(row_blocks_.size()), [&](int job) {
    const Matrix& matrix = matrices_[row_blocks_[job].matrix];
    pack(matrix, row_blocks_[job].block, weights.data() + matrix.slice.offset);
  });
}

// Packs sixteen adjacent rows; memory is read sequentially along them.
void PackedWeights::pack(const Matrix& matrix, int row_block, const float* weights) const {
  const int width = matrix.slice.columns / matrix.gates;
  const int first = row_block * kBlock;
  const int last = std::min(first + kBlock, matrix.slice.rows);
  const std::size_t step =
      (matrix.for_product ? 1 : matrix.gates) * kBlock;  // stride between packed rows
  for (int gate = 0; gate < matrix.gates; ++gate) {
    for (int unit = 0; unit < width; unit += kBlock) {
      const int block = unit / kBlock * matrix.gates;
      const float* from = weights + gate * width + unit;
      float* to =
          matrix.for_product ? matrix.columns(block + gate) : matrix.columns(block) + gate * kBlock;
      const int count = std::min(kBlock, width - unit);
      for (std::size_t row = first; row < static_cast<std::size_t>(last); ++row) {
        copy(from + row * matrix.slice.columns, count, to + row * step);
      }
    }
  }
}

void PackedWeights::load_transposed(ThreadTeam& team) {
  team.run_shares(static_cast<int>(row_blocks_.size()), [&](int job) {
    const Matrix& matrix = matrices_[row_blocks_[job].matrix];
    if (!matrix.for_product) return;
    const std::size_t block = row_blocks_[job].block * kBlock * kBlock;
    transpose_blocks(matrix.column_blocks, matrix.packed.data() + block,
                     static_cast<std::size_t>(matrix.rows) * kBlock,
                     matrix.transposed.data() + block * matrix.column_blocks);
  });
}

}  // namespace gradus::fast
