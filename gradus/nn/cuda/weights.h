#pragma once

#include <vector>

#include "gradus/nn/cuda/patch.h"
#include "gradus/nn/cuda/products.h"
#include "gradus/nn/layout.h"

namespace gradus::cuda {

/// The least multiple of 8 that is not below `width`: rows of so many halves are aligned to 16
/// bytes, which products want.
inline int padded(int width) {
  return (width + 7) / 8 * 8;
}

/// The P weights that passes use: as float, for what is looked up or added, and rounded to Operand
/// in the forms that products and sweeps read. They are written patch by patch, so that a kernel
/// that makes new weights writes the forms too.
template <typename Operand>
class Weights {
 public:
  /// Weights are numbered as in `layout`, which has as many cells as `real` or, for the sweeps'
  /// sake, more. Those of cells that `real` has not are 0, are in no patch, and are never written.
  Weights(const ParameterLayout& real, const ParameterLayout& layout, cudaStream_t stream);

  /// Takes the weights from an array in the GPU's memory, which must stay as it is while they are
  /// used. Does nothing where they are from there already.
  void take(const float* weights);
  /// Says that a kernel just queued writes the weights there, and their forms.
  void taken(const float* weights) { values_ = weights; }
  /// Says that the array they were taken from was changed.
  void forget() { values_ = nullptr; }

  /// P, with padding, and as many more as make a multiple of 4: kernels take four at a time from
  /// arrays that hold several numbers of each weight.
  std::size_t count() const { return count_; }
  const float* part(const Slice& slice) const { return values_ + slice.offset; }
  /// True where recurrent weights are in the forms of the sweeps, else they are matrices.
  bool for_sweeps() const { return for_sweeps_; }
  /// (H, 4H), not of the lowest layer.
  Matrix<const Operand> input(int layer) const { return {layers_[layer].input.data(), 4 * cells_}; }
  /// (H, 4H)
  Matrix<const Operand> recurrent(int layer) const {
    return {layers_[layer].recurrent.data(), 4 * cells_};
  }
  const Operand* forward_sweep(int layer) const { return layers_[layer].recurrent.data(); }
  const Operand* backward_sweep(int layer) const { return layers_[layer].backward.data(); }
  /// (H, O), and zeros up to the leading dimension, which is padded(O).
  Matrix<const Operand> output() const { return {output_.data(), output_leading_}; }

  /// All weights but padding, slice by slice, in the GPU's memory.
  const Patch<Operand>* patches() const { return patches_.data(); }
  /// (slices + 1) first patch of each slice, and the number of all.
  const std::vector<int>& first_patches() const { return first_patches_; }
  unsigned patch_count() const { return static_cast<unsigned>(first_patches_.back()); }

 private:
  struct Layer {
    Buffer<Operand> input;
    Buffer<Operand> recurrent;  // a matrix, or as the forward sweep wants it
    Buffer<Operand> backward;   // as the backward sweep wants it
  };

  cudaStream_t stream_;
  std::size_t count_;
  int cells_;
  bool for_sweeps_;
  int output_leading_;
  std::vector<Layer> layers_;
  Buffer<Operand> output_;
  Buffer<Patch<Operand>> patches_;
  std::vector<int> first_patches_;
  const float* values_ = nullptr;
};

}  // namespace gradus::cuda
