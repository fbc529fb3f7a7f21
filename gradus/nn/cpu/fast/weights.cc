#include "gradus/nn/cpu/fast/weights.h"

#include <algorithm>

namespace gradus::fast {
namespace {

// A matrix in the flat parameter array.
struct Matrix {
  const float* data;
  std::size_t row;
};

// to(k, lane) = from(k, lane), rows of 16, with zeros past `rows` and `columns` up to padded_rows.
void pack(const Matrix& from, int rows, int columns, int padded_rows, std::size_t to_row,
          float* to) {
  for (int k = 0; k < padded_rows; ++k, to += to_row) {
    const int count = k < rows ? columns : 0;
    std::copy_n(from.data + k * from.row, count, to);
    std::fill(to + count, to + kBlock, 0.0f);
  }
}

// to(k, lane) = from(lane, k), 16 rows of 16, with zeros past what there is.
void pack_transposed(const Matrix& from, int rows, int columns, float* to) {
  if (rows < kBlock || columns < kBlock) std::fill(to, to + kBlock * kBlock, 0.0f);
  for (int lane = 0; lane < rows; ++lane) {
    const float* row = from.data + lane * from.row;
    for (int k = 0; k < columns; ++k) to[k * kBlock + lane] = row[k];
  }
}

}  // namespace

PackedWeights::PackedWeights(const ParameterLayout& layout)
    : layout_(layout),
      cells_(layout.spec().cells),
      inputs_(layout.spec().data.input.width()),
      blocks_(blocks_of(cells_)),
      output_blocks_(blocks_of(layout.spec().data.output.width)),
      layers_(layout.spec().layers) {
  const std::size_t matrix = static_cast<std::size_t>(units()) * units() * 4;
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    layers_[l].recurrent.resize(matrix);
    layers_[l].recurrent_transposed.resize(matrix);
    layers_[l].bias.resize(static_cast<std::size_t>(units()) * 4);
    if (l == 0) continue;
    layers_[l].input.resize(matrix);
    layers_[l].input_transposed.resize(matrix);
  }
  const std::size_t outputs = static_cast<std::size_t>(output_blocks_) * kBlock;
  sparse_input_.resize(static_cast<std::size_t>(units()) * 4 * inputs_);
  output_.resize(outputs * units());
  output_bias_.resize(outputs);
  output_transposed_.resize(outputs * units());
}

void PackedWeights::load(std::span<const float> weights, ThreadTeam& team) {
  weights_ = weights;
  const int jobs = static_cast<int>(layers_.size()) * blocks_;
  team.run(jobs + 1, [this, jobs](int job) {
    if (job < jobs) {
      pack_unit_block(job / blocks_, job % blocks_);
    } else {
      pack_output();
    }
  });
}

void PackedWeights::load_transposed(ThreadTeam& team) {
  const int jobs = static_cast<int>(layers_.size()) * blocks_;
  team.run(jobs + blocks_, [this, jobs](int job) {
    if (job < jobs) {
      pack_unit_block_transposed(job / blocks_, job % blocks_);
    } else {
      pack_output_transposed(job - jobs);
    }
  });
}

// Units of block u that exist.
int PackedWeights::valid(int u) const {
  return std::min(kBlock, cells_ - u * kBlock);
}

void PackedWeights::pack_unit_block(int l, int u) {
  Layer& layer = layers_[l];
  const std::size_t width = 4 * static_cast<std::size_t>(cells_);
  for (int gate = 0; gate < 4; ++gate) {
    const std::size_t column = static_cast<std::size_t>(gate) * cells_ + u * kBlock;
    const std::size_t to = static_cast<std::size_t>(4 * u + gate) * units() * kBlock;
    pack({part(layout_.recurrent(l)) + column, width}, cells_, valid(u), units(), kBlock,
         layer.recurrent.data() + to);
    pack({part(layout_.bias(l)) + column, width}, 1, valid(u), 1, kBlock,
         layer.bias.data() + (4 * u + gate) * kBlock);
    const Matrix input = {part(layout_.input(l)) + column, width};
    if (l == 0) {
      pack(input, inputs_, valid(u), inputs_, 4 * kBlock,
           sparse_input_.data() + static_cast<std::size_t>(u) * inputs_ * 4 * kBlock +
               gate * kBlock);
    } else {
      pack(input, cells_, valid(u), units(), kBlock, layer.input.data() + to);
    }
  }
}

void PackedWeights::pack_unit_block_transposed(int l, int u) {
  Layer& layer = layers_[l];
  const std::size_t width = 4 * static_cast<std::size_t>(cells_);
  const std::size_t rows = static_cast<std::size_t>(u) * kBlock * width;
  const std::size_t to = static_cast<std::size_t>(4 * u) * units() * kBlock;
  for (int from = 0; from < 4 * blocks_; ++from) {  // column block 4 v + gate
    const std::size_t column = static_cast<std::size_t>(from % 4) * cells_ + from / 4 * kBlock;
    const std::size_t place = to + static_cast<std::size_t>(from) * kBlock * kBlock;
    pack_transposed({part(layout_.recurrent(l)) + rows + column, width}, valid(u), valid(from / 4),
                    layer.recurrent_transposed.data() + place);
    if (l == 0) continue;
    pack_transposed({part(layout_.input(l)) + rows + column, width}, valid(u), valid(from / 4),
                    layer.input_transposed.data() + place);
  }
}

void PackedWeights::pack_output() {
  const int width = layout_.spec().data.output.width;
  for (int k = 0; k < output_blocks_; ++k) {
    const int columns = std::min(kBlock, width - k * kBlock);
    pack({part(layout_.output_weight()) + k * kBlock, static_cast<std::size_t>(width)}, cells_,
         columns, units(), kBlock, output_.data() + static_cast<std::size_t>(k) * units() * kBlock);
    pack({part(layout_.output_bias()) + k * kBlock, 0}, 1, columns, 1, kBlock,
         output_bias_.data() + k * kBlock);
  }
}

void PackedWeights::pack_output_transposed(int u) {
  const std::size_t width = layout_.spec().data.output.width;
  const float* rows = part(layout_.output_weight()) + u * kBlock * width;
  for (int k = 0; k < output_blocks_; ++k) {
    pack_transposed({rows + k * kBlock, width}, valid(u),
                    std::min(kBlock, static_cast<int>(width) - k * kBlock),
                    output_transposed_.data() +
                        (static_cast<std::size_t>(u) * output_blocks_ + k) * kBlock * kBlock);
  }
}

}  // namespace gradus::fast
