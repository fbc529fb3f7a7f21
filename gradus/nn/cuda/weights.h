// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gradus/nn/cuda/patch.h"
#include "gradus/nn/cuda/products.h"
#include "gradus/nn/layout.h"

namespace gradus::cuda {

/// Rounds `width` up to a multiple of 8: rows of that many halves are aligned to 16 bytes, which
/// the products rely on.
inline int padded(int width) {
  return (width + 7) / 8 * 8;
}

/// The P weights that passes use: as float, for look-ups and additions, and rounded to Operand in
/// the forms that products and time loops read. They are written patch by patch, so that a kernel
/// that computes new weights can write the forms too.
template <typename Operand>
class Weights {
 public:
  /// Weights are indexed as in `layout`, which has as many cells as `real`, or more if the time
  /// loops need padding. Weights of cells that `real` does not have are 0, belong to no patch, and
  /// are never written.
  Weights(const ParameterLayout& real, const ParameterLayout& layout, cudaStream_t stream);

  /// Takes the weights from an array in GPU memory, which must not change while they are in use.
  /// Does nothing if they were last taken from the same array.
  void take(const float* weights);
  /// Call this if a kernel just queued writes the weights to `weights`, and their forms.
  void taken(const float* weights) { values_ = weights; }
  /// Call this if the array they were taken from has changed.
  void forget() { values_ = nullptr; }

  /// P, including padding, rounded up to a multiple of 4: kernels access four at a time in arrays
  /// that hold several numbers per weight.
  std::size_t count() const { return count_; }
  const float* part(const Slice& slice) const { return values_ + slice.offset; }
  /// True if recurrent weights are in the forms of the time loops; if false, they are matrices.
  bool for_time_loops() const { return for_time_loops_; }
  /// (H, 4H). REQUIRES layer > 0.
  Matrix<const Operand> input(int layer) const { return {layers_[layer].input.data(), 4 * cells_}; }
  /// (H, 4H). REQUIRES !for_time_loops().
  Matrix<const Operand> recurrent(int layer) const {
    return {layers_[layer].recurrent.data(), 4 * cells_};
  }
  const Operand* forward_time_loop(int layer) const { return layers_[layer].recurrent.data(); }
  const Operand* backward_time_loop(int layer) const { return layers_[layer].backward.data(); }
  /// (H, O), followed by zeros up to the leading dimension, which is padded(O).
  Matrix<const Operand> output() const { return {output_.data(), output_leading_}; }

  /// Patches of all weights without padding, slice by slice, in GPU memory.
  const Patch<Operand>* patches() const { return patches_.data(); }
  /// (slices + 1) first patch of each slice, then the number of all patches.
  const std::vector<int>& first_patches() const { return first_patches_; }
  unsigned patch_count() const { return static_cast<unsigned>(first_patches_.back()); }

 private:
  struct Layer {
    Buffer<Operand> input;
    Buffer<Operand> recurrent;  // a matrix, or the forward time loop's form
    Buffer<Operand> backward;   // the backward time loop's form
  };

  cudaStream_t stream_;
  std::size_t count_;
  int cells_;
  bool for_time_loops_;
  int output_leading_;
  std::vector<Layer> layers_;
  Buffer<Operand> output_;
  Buffer<Patch<Operand>> patches_;
  std::vector<int> first_patches_;
  const float* values_ = nullptr;
};

}  // namespace gradus::cuda
