#pragma once

#include <cstddef>

namespace gradus::cuda {

constexpr int kPatchThreads = 256;
/// Weights of a patch, at most.
constexpr int kPatch = 2048;

/// Weights that one block works through, all of one slice, and where they go in the forms that
/// matrix products read: to no form, into a row-major matrix, or into the sweeps' two.
///
/// Those of a row-major matrix, or of none, follow each other. Those for sweeps are 16 rows of a
/// recurrent matrix (H, 4H) by the 4 x 32 columns of one block's cells, which are one tile of the
/// left operands of both sweeps for each warp.
template <typename Operand>
struct Patch {
  std::size_t first = 0;  ///< number of its first weight
  int size = 0;

  Operand* matrix = nullptr;  ///< (..., leading)
  int at = 0;                 ///< place of the first weight in the slice, (..., columns)
  int columns = 0;
  int leading = 0;

  Operand* forward = nullptr;   ///< of the block's first warp
  Operand* backward = nullptr;  ///< of the first tile of the warp that has these rows
  int cells = 0;                ///< H; 0 where not for sweeps
};

}  // namespace gradus::cuda
