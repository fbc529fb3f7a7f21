// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace gradus::fast {

/// Units of a layer that are processed together, and columns of a panel of packed weights: one
/// AVX-512 vector, two AVX2 vectors or four NEON vectors. It is a multiple of all of them, so that
/// the memory layout does not depend on the processor.
inline constexpr int kBlock = 16;

inline constexpr int blocks_of(int columns) {
  return (columns + kBlock - 1) / kBlock;
}

/// A quad: sequences that stay together in memory and on a thread. Enough to reuse a loaded weight,
/// few enough to spread long and short sequences evenly.
inline constexpr int kQuad = 4;

/// Offset in rows of row number `row` from the first, if quads of rows start `stride` rows apart.
inline constexpr std::size_t row_of_quads(int row, std::size_t stride) {
  return static_cast<std::size_t>(row % kQuad) + static_cast<std::size_t>(row / kQuad) * stride;
}

/// A matrix stored in panels of `width` columns, a multiple of kBlock. Entry (r, c) is at
///
///   data[c / width * panel + row_of_quads(r, stride) * row + c % width]
///
/// A product that runs down the rows of a panel, or along the columns of a few rows, reads memory
/// sequentially.
template <typename Value>
struct Panels {
  Value* data = nullptr;
  std::size_t row = 0;    ///< stride between rows of a panel
  std::size_t panel = 0;  ///< stride between panels
  int width = kBlock;
  std::size_t stride = kQuad;  ///< rows from the start of one quad to the next

  /// Pointer to the first row of block `block`, 16 columns.
  Value* block(int block) const {
    const int in_panel = width / kBlock;
    return data + block / in_panel * panel + block % in_panel * kBlock;
  }
  operator Panels<const Value>() const { return {data, row, panel, width, stride}; }
};

}  // namespace gradus::fast
