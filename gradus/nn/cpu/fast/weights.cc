#include "gradus/nn/cpu/fast/weights.h"

#include <algorithm>
#include <utility>

#include "gradus/nn/cpu/fast/passes.h"

namespace gradus::fast {

PackedWeights::PackedWeights(const ParameterLayout& layout)
    : blocks_(blocks_of(layout.spec().cells)) {
  for (int l = 0; l < layout.spec().layers; ++l) {
    add(layout.input(l), 4, l > 0);
    add(layout.recurrent(l), 4, true);
    add(layout.bias(l), 4, false);
  }
  add(layout.output_weight(), 1, true);
  add(layout.output_bias(), 1, false);
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

// Rows follow each other in either memory, so that both are read and written in order.
void PackedWeights::pack(const Matrix& matrix, int row_block, const float* from) const {
  const int width = matrix.slice.columns / matrix.gates;
  const int first = row_block * kBlock;
  const int last = std::min(first + kBlock, matrix.slice.rows);
  for (int block = 0; block < matrix.column_blocks; ++block) {
    const int unit = block / matrix.gates * kBlock;
    const int gate = block % matrix.gates;
    const int count = std::min(kBlock, width - unit);
    for (int row = first; row < last; ++row) {
      const std::size_t place =
          matrix.for_product
              ? static_cast<std::size_t>(block) * matrix.rows + row
              : static_cast<std::size_t>(block - gate) * matrix.rows + row * matrix.gates + gate;
      std::copy_n(from + static_cast<std::size_t>(row) * matrix.slice.columns + gate * width + unit,
                  count, matrix.packed.data() + place * kBlock);
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
