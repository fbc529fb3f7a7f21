// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <type_traits>

#include "gradus/nn/cuda/patch.cuh"
#include "gradus/nn/cuda/time_loop.h"
#include "gradus/nn/cuda/weights.h"

namespace gradus::cuda {
namespace {

// Cuts slices into patches, in the order of the layout. `slice` may be padded: `real` is its first
// rows and either all of its columns or the first columns of each gate.
template <typename Operand>
class Cutter {
 public:
  /// Cuts a slice. `form` is the matrix to write it to, if it has data.
  void cut(const Slice& real, const Slice& slice, Matrix<Operand> form) {
    begin_slice();
    const int size = static_cast<int>(real.size());
    const bool gates = real.columns != slice.columns;
    const int stretch = gates ? real.columns / 4 : size;
    const int stride = gates ? slice.columns / 4 : size;
    for (int at = 0; at < size; at += kPatch) {
      const int patch_size = std::min(kPatch, size - at);
      patches_.push_back(
          {.first = slice.offset,
           .at = at,
           .size = patch_size,
           .in_fours = (slice.offset | real.offset | stretch | stride | patch_size) % 4 == 0,
           .stretch = stretch,
           .stride = stride,
           .noise = real.offset + at,
           .matrix = form.data,
           .columns = slice.columns,
           .leading = form.leading});
    }
  }

  /// Cuts a recurrent matrix of W = slice.rows cells. In the forward time loop's form, a block has
  /// 8 warps with W / 16 tiles each. In the backward time loop's form, it has 2 warpgroups with W /
  /// 128 strips of 64 rows each. A strip has 8 tiles for each of the 4 warps, and all tiles of a
  /// warp are adjacent.
  void cut_for_time_loops(const Slice& real, const Slice& slice, Operand* forward,
                          Operand* backward) {
    begin_slice();
    const int h = real.rows;
    const int w = slice.rows;
    const int forward_tiles = w / 16;
    const int strips = w / 128;
    for (int tile = 0; tile < h / 16; ++tile) {
      const int strip = tile / 4;
      const int backward_warp = strip / strips * 4 + tile % 4;
      const std::size_t row = static_cast<std::size_t>(tile) * 16;
      for (int block = 0; block < h / 32; ++block) {
        const int backward_tile = ((block * 8 + backward_warp) * strips + strip % strips) * 8;
        patches_.push_back({.first = slice.offset + row * 4 * w + block * 32,
                            .size = kPatch,
                            .in_fours = true,
                            .stride = w,
                            .noise = real.offset + row * 4 * h + block * 32,
                            .noise_stride = h,
                            .forward = forward + (block * 8 * forward_tiles + tile) * kPackedTile,
                            .backward = backward + backward_tile * kPackedTile});
      }
    }
  }

  const std::vector<Patch<Operand>>& patches() const { return patches_; }
  /// First patch of each slice, then the number of all patches.
  std::vector<int> first_patches() const {
    std::vector<int> firsts = firsts_;
    firsts.push_back(static_cast<int>(patches_.size()));
    return firsts;
  }

 private:
  void begin_slice() { firsts_.push_back(static_cast<int>(patches_.size())); }

  std::vector<Patch<Operand>> patches_;
  std::vector<int> firsts_;
};

template <typename Operand>
__global__ void take_kernel(const Patch<Operand>* patches, const float* weights) {
  __shared__ PatchForms<Operand> forms;
  const Patch<Operand> patch = patches[blockIdx.x];
  for_stretches(patch, [&]<int kCount>(int k) {
    forms.put(k, Numbers<kCount>::load(weights + weight_number(patch, k)));
  });
  forms.store(patch);
}

}  // namespace

template <typename Operand>
Weights<Operand>::Weights(const ParameterLayout& real, const ParameterLayout& layout,
                          cudaStream_t stream)
    : stream_(stream),
      count_((layout.parameters() + 3) / 4 * 4),
      cells_(layout.spec().cells),
      for_time_loops_(std::is_same_v<Operand, __half> && time_loop_width(cells_) == cells_),
      output_leading_(padded(layout.spec().data.output.width)),
      layers_(layout.spec().layers),
      output_(make_zeros<Operand>(static_cast<std::size_t>(cells_) * output_leading_, stream)) {
  const std::size_t square = static_cast<std::size_t>(cells_) * 4 * cells_;
  Cutter<Operand> cutter;
  for (int l = 0; l < layout.spec().layers; ++l) {
    Layer& layer = layers_[l];
    if (l > 0) layer.input = make_zeros<Operand>(square, stream);
    cutter.cut(real.input(l), layout.input(l), {layer.input.data(), 4 * cells_});
    layer.recurrent = make_zeros<Operand>(square, stream);
    if (for_time_loops_) {
      layer.backward = make_zeros<Operand>(square, stream);
      cutter.cut_for_time_loops(real.recurrent(l), layout.recurrent(l), layer.recurrent.data(),
                                layer.backward.data());
    } else {
      cutter.cut(real.recurrent(l), layout.recurrent(l), {layer.recurrent.data(), 4 * cells_});
    }
    cutter.cut(real.bias(l), layout.bias(l), {});
  }
  cutter.cut(real.output_weight(), layout.output_weight(), {output_.data(), output_leading_});
  cutter.cut(real.output_bias(), layout.output_bias(), {});
  patches_ = on_gpu(cutter.patches());
  first_patches_ = cutter.first_patches();
}

template <typename Operand>
void Weights<Operand>::take(const float* weights) {
  if (weights == values_) return;
  take_kernel<<<patch_count(), kPatchThreads, 0, stream_>>>(patches_.data(), weights);
  check_launch("taking weights");
  values_ = weights;
}

template class Weights<__half>;
template class Weights<float>;

}  // namespace gradus::cuda
