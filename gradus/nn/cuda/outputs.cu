// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cuda/kernels.h"
#include "gradus/nn/cuda/score.cuh"

namespace gradus::cuda {
namespace {

constexpr int kWarps = 8;

// One warp per row.
template <typename Operand>
__global__ void score_kernel(OutputSpec spec, RowData data, int rows, Matrix<const float> logits,
                             const float* bias, float scale, Losses losses, unsigned char* wrong,
                             Matrix<Operand> gradient) {
  const int row = static_cast<int>(blockIdx.x * kWarps + threadIdx.x / 32);
  double loss = 0;
  if (row < rows) {
    const std::size_t at = row;
    loss = score_row(spec, data, row, logits.data + at * logits.leading, bias, scale,
                     gradient.data ? gradient.data + at * gradient.leading : nullptr,
                     gradient.leading, wrong);
  }
  add_losses(loss, losses);
}

}  // namespace

template <typename Operand>
void score_outputs(const OutputSpec& spec, const RowData& data, int rows,
                   Matrix<const float> logits, const float* bias, float scale, const Losses& losses,
                   unsigned char* wrong, Matrix<Operand> gradient, cudaStream_t stream) {
  score_kernel<<<(rows + kWarps - 1) / kWarps, kWarps * 32, 0, stream>>>(
      spec, data, rows, logits, bias, scale, losses, wrong, gradient);
  check_launch("scoring outputs");
}

template void score_outputs(const OutputSpec&, const RowData&, int, Matrix<const float>,
                            const float*, float, const Losses&, unsigned char*, Matrix<__half>,
                            cudaStream_t);
template void score_outputs(const OutputSpec&, const RowData&, int, Matrix<const float>,
                            const float*, float, const Losses&, unsigned char*, Matrix<float>,
                            cudaStream_t);

}  // namespace gradus::cuda
