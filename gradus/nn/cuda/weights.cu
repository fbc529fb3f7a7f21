#include <algorithm>
#include <type_traits>

#include "gradus/nn/cuda/patch.cuh"
#include "gradus/nn/cuda/sweep.h"
#include "gradus/nn/cuda/weights.h"

namespace gradus::cuda {
namespace {

// Cuts slices into patches, in the order of the layout.
template <typename Operand>
class Cutter {
 public:
  /// Cuts a slice whose form, if it has data, is a matrix.
  void cut(const Slice& slice, Matrix<Operand> form) {
    begin_slice();
    const int size = static_cast<int>(slice.size());
    for (int at = 0; at < size; at += kPatch) {
      patches_.push_back({.first = slice.offset + at,
                          .size = std::min(kPatch, size - at),
                          .matrix = form.data,
                          .at = at,
                          .columns = slice.columns,
                          .leading = form.leading});
    }
  }

  /// Cuts a recurrent matrix. Of the forward sweep's operand a block has 8 warps of H / 16 tiles;
  /// of the backward sweep's it has 2 warpgroups of H / 128 strips of 64 rows, each 8 tiles of each
  /// of 4 warps, a warp's tiles being adjacent.
  void cut_for_sweeps(const Slice& slice, Operand* forward, Operand* backward) {
    begin_slice();
    const int h = slice.rows;
    const int forward_tiles = h / 16;
    const int strips = h / 128;
    for (int tile = 0; tile < forward_tiles; ++tile) {
      const int strip = tile / 4;
      const int backward_warp = strip / strips * 4 + tile % 4;
      for (int block = 0; block < h / 32; ++block) {
        const int backward_tile = ((block * 8 + backward_warp) * strips + strip % strips) * 8;
        patches_.push_back(
            {.first = slice.offset + static_cast<std::size_t>(tile) * 16 * 4 * h + block * 32,
             .size = kPatch,
             .forward = forward + (block * 8 * forward_tiles + tile) * kPackedTile,
             .backward = backward + backward_tile * kPackedTile,
             .cells = h});
      }
    }
  }

  const std::vector<Patch<Operand>>& patches() const { return patches_; }
  /// First patch of each slice, and the number of all.
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
  for (int k = static_cast<int>(threadIdx.x); k < patch.size; k += kPatchThreads) {
    forms.put(k, weights[weight_number(patch, k)]);
  }
  forms.store(patch);
}

}  // namespace

template <typename Operand>
Weights<Operand>::Weights(const ParameterLayout& layout, cudaStream_t stream)
    : stream_(stream),
      cells_(layout.spec().cells),
      for_sweeps_(std::is_same_v<Operand, __half> && sweeps_fit(cells_)),
      output_leading_(padded(layout.spec().data.output.width)),
      layers_(layout.spec().layers),
      output_(static_cast<std::size_t>(cells_) * output_leading_) {
  check(cudaMemsetAsync(output_.data(), 0, output_.capacity() * sizeof(Operand), stream),
        "clearing memory");
  const std::size_t square = static_cast<std::size_t>(cells_) * 4 * cells_;
  Cutter<Operand> cutter;
  for (int l = 0; l < layout.spec().layers; ++l) {
    Layer& layer = layers_[l];
    if (l > 0) layer.input.reserve(square);
    cutter.cut(layout.input(l), {layer.input.data(), 4 * cells_});
    layer.recurrent.reserve(square);
    if (for_sweeps_) {
      layer.backward.reserve(square);
      cutter.cut_for_sweeps(layout.recurrent(l), layer.recurrent.data(), layer.backward.data());
    } else {
      cutter.cut(layout.recurrent(l), {layer.recurrent.data(), 4 * cells_});
    }
    cutter.cut(layout.bias(l), {});
  }
  cutter.cut(layout.output_weight(), {output_.data(), output_leading_});
  cutter.cut(layout.output_bias(), {});
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
