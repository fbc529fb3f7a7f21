// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "gradus/core/batch.h"
#include "gradus/nn/cuda/derivatives.h"
#include "gradus/nn/cuda/products.h"
#include "gradus/nn/cuda/rows.h"

namespace gradus::cuda {

// The small kernels of a pass. Operand is half or float. All arrays are in GPU memory. M rows, I
// inputs, H cells, O outputs.

/// Writes the inputs of all rows into the first I columns of `to`. Sets *overflow to 1 if an input
/// exceeds Operand's range.
template <typename Operand>
void expand_inputs(const InputSpec& spec, const RowData& data, int rows, Matrix<Operand> to,
                   int* overflow, cudaStream_t stream);

/// gates (M, width) = for each row, the sum of its inputs times their rows of `weights` (I, width),
/// in float. REQUIRES width a multiple of 4.
void look_up_inputs(const InputSpec& spec, const RowData& data, int rows, int width,
                    const float* weights, float* gates, cudaStream_t stream);

/// Sets column `column` of a matrix to `value`.
template <typename Operand>
void fill_column(int rows, int column, float value, Matrix<Operand> to, cudaStream_t stream);

/// One step of a layer, for GPUs or sizes that the time loops do not support. Processes rows
/// [start, start + active). Fields are those of ForwardTimeLoop and BackwardTimeLoop.
template <typename Operand>
struct ForwardStep {
  int cells, start, active, before;  ///< before: first row of step t - 1, or -1 at step 0
  int next, still_active;            ///< first row and number of active sequences of step t + 1
  const float* bias;
  float* gates;  ///< in: z without the bias
  float* cell_states;
  Matrix<Operand> hidden, previous;
};
template <typename Operand>
void forward_step(const ForwardStep<Operand>& step, cudaStream_t stream);

template <typename Operand>
struct BackwardStep {
  int cells, start, active, before, later_active;
  const float* gates;
  const float* cell_states;
  const float* hidden_gradient;
  float* cell_gradient;  ///< (B, H) from step t + 1; sequences past later_active start at 0
  Operand* gate_gradient;
  DerivativeLimit limit;
};
template <typename Operand>
void backward_step(const BackwardStep<Operand>& step, cudaStream_t stream);

/// Output and scratch memory for the sum of all rows' losses.
struct Losses {
  double* total = nullptr;
  double* of_blocks = nullptr;  ///< (M) scratch for per-block sums
  unsigned* arrived = nullptr;  ///< 0 before and after each launch
};

/// Scores logits (M, O) + bias against the targets. Writes the sum of the losses of all scored rows
/// to `losses`, and to `wrong` (M) whether each row is scored and wrong. If `gradient` has data,
/// writes scale * d loss / d logit to it; rows that are not scored, and columns from O to the
/// leading dimension, become 0.
template <typename Operand>
void score_outputs(const OutputSpec& spec, const RowData& data, int rows,
                   Matrix<const float> logits, const float* bias, float scale, const Losses& losses,
                   unsigned char* wrong, Matrix<Operand> gradient, cudaStream_t stream);

/// *total = sum of the squares of values[0, count), in double and in a fixed order, so that the
/// result is reproducible. Uses a single block: this is rarely called.
void add_squares(const float* values, std::size_t count, double* total, cudaStream_t stream);

/// Blocks of add_products().
inline constexpr int kProductBlocks = 256;

/// *total = sum of a[i] b[i] over [0, count), in double and in a fixed order. If `noise` is not
/// null, term i is multiplied by 1 + (noise[i] sigmoid(rho[i]))^2: a and b are then gradients with
/// respect to the weights, and the result is the dot product of those with respect to the mean and
/// rho of each weight. `of_blocks` is scratch memory for kProductBlocks numbers.
void add_products(const float* a, const float* b, const float* noise, const float* rho,
                  std::size_t count, double* of_blocks, double* total, cudaStream_t stream);

}  // namespace gradus::cuda
