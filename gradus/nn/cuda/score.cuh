// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a warp scores the outputs of one row, and how blocks add up the losses of all rows.

#include "gradus/nn/cuda/block_sum.cuh"
#include "gradus/nn/cuda/kernels.h"

namespace gradus::cuda {

constexpr unsigned kWholeWarp = 0xffffffffu;

__device__ inline double warp_sum(double value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_xor_sync(kWholeWarp, value, offset);
  }
  return value;
}

/// Finds the warp's largest logit and its column; the first column if several are equal.
__device__ inline void warp_max(float& value, int& column) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(kWholeWarp, value, offset);
    const int at = __shfl_xor_sync(kWholeWarp, column, offset);
    if (other > value || (other == value && at < column)) {
      value = other;
      column = at;
    }
  }
}

struct RowScore {
  double loss;
  bool wrong;
};

template <typename Operand>
__device__ RowScore score_softmax(int width, std::uint32_t target, const float* logits,
                                  const float* bias, float scale, Operand* gradient) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  float top = -INFINITY;
  int best = width;
  for (int j = lane; j < width; j += 32) {
    const float z = logits[j] + bias[j];
    if (z > top || best == width) {
      top = z;
      best = j;
    }
  }
  warp_max(top, best);
  double sum = 0;
  for (int j = lane; j < width; j += 32) {
    sum += exp(static_cast<double>(logits[j] + bias[j]) - top);
  }
  sum = warp_sum(sum);
  const double of_target = logits[target] + bias[target];
  for (int j = lane; gradient && j < width; j += 32) {
    const double p = exp(static_cast<double>(logits[j] + bias[j]) - top) / sum;
    const double y = j == static_cast<int>(target) ? 1 : 0;
    gradient[j] = static_cast<Operand>(static_cast<float>((p - y) * scale));
  }
  return {log(sum) + top - of_target, best != static_cast<int>(target)};
}

template <typename Operand>
__device__ RowScore score_sigmoid(int width, std::uint32_t target, const float* logits,
                                  const float* bias, float scale, Operand* gradient) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  double loss = 0;
  bool wrong = false;
  if (lane < width) {
    const double z = logits[lane] + bias[lane];
    const bool y = (target >> lane & 1u) != 0;
    const double e = exp(-fabs(z));
    loss = log1p(e) + (y ? fmax(-z, 0.0) : fmax(z, 0.0));
    wrong = (z > 0) != y;
    const double p = (z >= 0 ? 1.0 : e) / (1 + e);
    if (gradient) {
      gradient[lane] = static_cast<Operand>(static_cast<float>((p - (y ? 1.0 : 0.0)) * scale));
    }
  }
  return {warp_sum(loss), __any_sync(kWholeWarp, wrong) != 0};
}

/// Scores row `row` with the whole warp, as described at score_outputs(). Returns the loss to lane
/// 0 and 0 to the other lanes. `logits` and `gradient` point to the row; `gradient` has `leading`
/// numbers and may be null.
template <typename Operand>
__device__ double score_row(const OutputSpec& spec, const RowData& data, int row,
                            const float* logits, const float* bias, float scale, Operand* gradient,
                            int leading, unsigned char* wrong) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const bool scored = data.scored[row] != 0;
  for (int j = (scored ? spec.width : 0) + lane; gradient && j < leading; j += 32) {
    gradient[j] = static_cast<Operand>(0.0f);
  }
  RowScore score{0, false};
  if (scored) {
    score = spec.kind == OutputKind::kSoftmax
                ? score_softmax(spec.width, data.targets[row], logits, bias, scale, gradient)
                : score_sigmoid(spec.width, data.targets[row], logits, bias, scale, gradient);
  }
  if (lane != 0) return 0;
  wrong[row] = score.wrong;
  return score.loss;
}

/// Adds up the losses of all threads of all blocks, in a fixed order.
__device__ inline void add_losses(double loss, const Losses& losses) {
  auto* of_blocks = reinterpret_cast<double(*)[1]>(losses.of_blocks);
  double sum[1] = {loss};
  if (!leave_sums(sum, of_blocks, losses.arrived)) return;
  add_blocks(of_blocks, 0, static_cast<int>(gridDim.x), sum);
  if (threadIdx.x == 0) *losses.total = sum[0];
}

}  // namespace gradus::cuda
