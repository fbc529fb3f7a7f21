#pragma once

#include <cstddef>

namespace gradus::fast {

/// Units of a layer that are worked on together, and columns of a panel of packed weights: one
/// AVX-512 vector, two of AVX2, four of NEON. A multiple of all of them, so that what lies in
/// memory does not depend on the processor.
inline constexpr int kBlock = 16;

inline constexpr int blocks_of(int columns) {
  return (columns + kBlock - 1) / kBlock;
}

/// Sequences that stay together, in memory and on a thread: enough to make use of a loaded weight,
/// few enough that long and short ones are spread evenly.
inline constexpr int kRun = 4;

/// How many rows after the first row number `row` lies, where runs of kRun are `run` rows apart.
inline constexpr std::size_t row_of_runs(int row, std::size_t run) {
  return static_cast<std::size_t>(row % kRun) + static_cast<std::size_t>(row / kRun) * run;
}

/// A matrix cut into panels of `width` columns, a multiple of kBlock: entry (r, c) lies at
/// data[c / width * panel + row_of_runs(r, run) * row + c % width]. A product that runs down
/// the rows of a panel, or along the columns of a few rows, reads memory in order.
template <typename Value>
struct Panels {
  Value* data = nullptr;
  std::size_t row = 0;    ///< between two rows of a panel
  std::size_t panel = 0;  ///< between two panels
  int width = kBlock;
  std::size_t run = kRun;  ///< rows between two runs

  /// The 16 columns of block `block`, as a pointer to its first row.
  Value* block(int block) const {
    const int in_panel = width / kBlock;
    return data + block / in_panel * panel + block % in_panel * kBlock;
  }
  operator Panels<const Value>() const { return {data, row, panel, width, run}; }
};

}  // namespace gradus::fast
