// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "gradus/core/batch.h"
#include "gradus/nn/cpu/fast/products.h"

namespace gradus::fast {

/// The non-zero inputs of a batch, row by row. Tokens, bits and reals become indices of rows of the
/// input matrix, with values.
class SparseInputs {
 public:
  struct Entry {
    int input;
    float value;
  };

  void clear();
  /// Appends a row: step `cell` = t * B + b of the batch.
  void add_row(const Batch& batch, const InputSpec& spec, std::size_t cell);

  /// Appends empty rows until there are `rows`.
  void skip_to(std::size_t rows) { first_.resize(rows + 1, entries_.size()); }

  std::span<const Entry> row(std::size_t row) const {
    return std::span(entries_).subspan(first_[row], first_[row + 1] - first_[row]);
  }

 private:
  std::vector<Entry> entries_;
  std::vector<std::size_t> first_{0};
};

/// For a block of units, z (rows, 64) = the block's bias (64) + the rows of its packed input
/// matrix, (I, 64), that the inputs select, times their values. The first input row is `first`;
/// quads of rows are `stride` rows apart. If `inputs` is null, z is the bias alone.
void start_gates(int rows, const float* bias, const SparseInputs* inputs, std::size_t first,
                 std::size_t stride, const float* packed, float* z);

/// Adds the contribution of the stretches' rows b of d loss / d z, `gates` (rows, 64), to the
/// gradient of a block's bias and, unless `inputs` is null, of its input matrix. There is one
/// destination per gate; those of the bias have one row each.
void add_input_gradient(std::span<const Stretch> stretches, const float* gates,
                        const SparseInputs* inputs, std::span<const Destination, 4> bias,
                        std::span<const Destination, 4> input);

}  // namespace gradus::fast
