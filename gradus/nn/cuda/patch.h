#pragma once

#include <cstddef>

namespace gradus::cuda {

constexpr int kPatchThreads = 256;
/// Weights of a patch, at most.
constexpr int kPatch = 2048;

/// Weights that one block works through, all of one slice, and where they go in the forms that
/// matrix products read: to no form, into a row-major matrix, or into the sweeps' two.
///
/// Those of a row-major matrix, or of none, follow each other, but for padding. Those for sweeps
/// are 16 rows of a recurrent matrix (W, 4W) by the 4 x 32 columns of one block's cells: 8 tiles of
/// the left operand of either sweep.
template <typename Operand>
struct Patch {
  std::size_t first = 0;  ///< number of the slice's first weight, or for sweeps the patch's
  int at = 0;             ///< place of the patch's first weight after it, padding left out
  int size = 0;
  bool in_fours = false;  ///< size, and the numbers of weights and noise, go by fours
  int run = 0;            ///< weights between padding
  int stride = 0;         ///< numbers from one run to the next
  std::size_t noise = 0;  ///< number of the patch's first weight, padding left out
  int noise_stride = 0;   ///< the same from run to run of a patch for sweeps

  Operand* matrix = nullptr;  ///< (..., leading), of the slice
  int columns = 0;            ///< of the slice
  int leading = 0;

  Operand* forward = nullptr;   ///< of the block's first warp; null where not for sweeps
  Operand* backward = nullptr;  ///< of the first tile of the warp that has these rows
};

}  // namespace gradus::cuda
