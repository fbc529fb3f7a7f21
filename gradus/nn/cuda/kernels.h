#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "gradus/core/batch.h"
#include "gradus/nn/cuda/derivatives.h"
#include "gradus/nn/cuda/products.h"
#include "gradus/nn/cuda/rows.h"

namespace gradus::cuda {

// The small kernels of a pass. Operand is half or float; all arrays are in the GPU's memory. M
// rows, I inputs, H cells, O outputs.

/// Writes the inputs of all rows into the first I columns of a matrix. Sets *overflow to 1 where
/// one is beyond Operand's range.
template <typename Operand>
void expand_inputs(const InputSpec& spec, const RowData& data, int rows, Matrix<Operand> to,
                   int* overflow, cudaStream_t stream);

/// gates (M, width) = the rows of `weights` (I, width) of the inputs that are on, in float.
void look_up_inputs(const InputSpec& spec, const RowData& data, int rows, int width,
                    const float* weights, float* gates, cudaStream_t stream);

/// Fills column `column` of a matrix with `value`.
template <typename Operand>
void fill_column(int rows, int column, float value, Matrix<Operand> to, cudaStream_t stream);

/// One step of a layer, for GPUs or sizes without sweeps; fields are those of ForwardSweep and
/// BackwardSweep, for rows [start, start + active).
template <typename Operand>
struct ForwardStep {
  int cells, start, active, before;  ///< before: first row of step t - 1, -1 at step 0
  int next, still_active;            ///< of step t + 1
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
  float* cell_gradient;  ///< (B, H) carried from step t + 1; rows past later_active are new
  Operand* gate_gradient;
  DerivativeLimit limit;
};
template <typename Operand>
void backward_step(const BackwardStep<Operand>& step, cudaStream_t stream);

/// Where a kernel adds up the losses of all rows.
struct Losses {
  double* total = nullptr;
  double* of_blocks = nullptr;  ///< (M) room for the sums of blocks
  unsigned* arrived = nullptr;  ///< 0 before a launch and after it
};

/// Scores logits (M, O) + bias against the targets. Adds up the rows' losses, 0 where one is not
/// scored, and writes whether each is wrong; where `gradient` has data, scale * d loss / d logit,
/// zero for rows that are not scored and up to its leading dimension.
template <typename Operand>
void score_outputs(const OutputSpec& spec, const RowData& data, int rows,
                   Matrix<const float> logits, const float* bias, float scale, const Losses& losses,
                   unsigned char* wrong, Matrix<Operand> gradient, cudaStream_t stream);

}  // namespace gradus::cuda
