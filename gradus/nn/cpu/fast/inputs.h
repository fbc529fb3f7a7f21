#pragma once

#include <span>
#include <vector>

#include "gradus/core/batch.h"
#include "gradus/nn/cpu/fast/products.h"

namespace gradus::fast {

/// The inputs of a batch that are not zero, row by row: a token, bits and reals become the rows of
/// the input matrix that they pick.
class SparseInputs {
 public:
  struct Entry {
    int input;
    float value;
  };

  void clear();
  /// Adds the next row: step `cell` = t * B + b of the batch.
  void add_row(const Batch& batch, const InputSpec& spec, std::size_t cell);

  /// Adds rows without inputs until there are `rows`.
  void skip_to(std::size_t rows) { first_.resize(rows + 1, entries_.size()); }

  std::span<const Entry> row(std::size_t row) const {
    return std::span(entries_).subspan(first_[row], first_[row + 1] - first_[row]);
  }

 private:
  std::vector<Entry> entries_;
  std::vector<std::size_t> first_{0};
};

/// z (rows, 64) = the bias's 64 numbers of a block of units, plus the rows of the block's packed
/// input matrix, (I, 64), that the inputs of the rows pick, of which the first is `first` and runs
/// are `run` apart. Without inputs, the bias alone.
void start_gates(int rows, const float* bias, const SparseInputs* inputs, std::size_t first,
                 std::size_t run, const float* packed, float* z);

/// Adds to the gradient of a block's bias and, where there are inputs, of its input matrix what the
/// stretches' rows of d loss / d z, (rows, 64), say. Destinations are the four gates'; of the bias
/// one row each.
void add_input_gradient(std::span<const Stretch> stretches, const float* gates,
                        const SparseInputs* inputs, std::span<const Destination, 4> bias,
                        std::span<const Destination, 4> input);

}  // namespace gradus::fast
