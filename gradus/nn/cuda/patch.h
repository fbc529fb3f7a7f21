// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace gradus::cuda {

constexpr int kPatchThreads = 256;
/// Maximum number of weights per patch.
constexpr int kPatch = 2048;

/// Weights of one slice that one block processes, and their destination in the forms that matrix
/// products read: no form, a row-major matrix, or the two packed forms of the time loops.
///
/// The weights of a row-major matrix, or of no form, are consecutive except for padding. A patch
/// for time loops is 16 rows of a recurrent matrix (W, 4W) by the 4 x 32 columns of one block's
/// cells: 8 tiles of the left operand of each time loop.
template <typename Operand>
struct Patch {
  std::size_t first = 0;  ///< index of the slice's first weight or, for time loops, of the patch's
  int at = 0;             ///< offset of the patch's first weight from it, without padding
  int size = 0;
  bool in_fours = false;  ///< size and all indices of weights and noise allow access in fours
  int stretch = 0;        ///< consecutive weights between padding
  int stride = 0;         ///< distance from one stretch to the next
  std::size_t noise = 0;  ///< index of the patch's first weight, without padding
  int noise_stride = 0;   ///< distance of its stretches, without padding; only for time loops

  Operand* matrix = nullptr;  ///< (rows, leading) form of the slice, or null
  int columns = 0;            ///< columns of the slice
  int leading = 0;

  /// In the forward time loop's form, the patch's tile of the block's first warp. Null if not for
  /// time loops.
  Operand* forward = nullptr;
  /// In the backward time loop's form, the patch's first tile, of the warp that has these rows.
  Operand* backward = nullptr;
};

}  // namespace gradus::cuda
