#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "gradus/core/batch.h"
#include "gradus/nn/cuda/derivatives.h"
#include "gradus/nn/cuda/rows.h"

namespace gradus::cuda {

// One layer over all time steps in one kernel, with the recurrent weights in registers. Sequences
// are independent, so a batch is split into groups of at most N sequences, and a cluster of H / 32
// blocks takes each group. A block holds the weights of 32 cells.

// A sweep may be cut into runs of steps, [first, end), so that layers can run side by side: a run
// goes on from what the run before left in its arrays.

/// Inputs of the lowest layer that a forward sweep takes in itself, as halves: at most 16 channels.
struct FewInputs {
  const float* weights = nullptr;  ///< (I, 4H); null where the inputs are not such
  InputSpec spec;
  RowData data;
};

inline bool are_few(const InputSpec& inputs) {
  return inputs.width() <= 16;
}

struct ForwardSweep {
  Rows rows;
  FewInputs inputs;
  int first = 0;
  int end = 0;
  const __half* weights = nullptr;  ///< (4H * H) packed, patch.cuh
  const float* bias = nullptr;      ///< (4H)
  float* gates = nullptr;    ///< (M, 4H) in: what inputs add that are not few; out: activations
  float* cells = nullptr;    ///< (M, H) c_t
  __half* hidden = nullptr;  ///< (M, leading) h_t
  int leading = 0;
  __half* previous = nullptr;  ///< (M, previous_leading) h_{t-1}, 0 at step 0
  int previous_leading = 0;
  bool keep = true;  ///< for a backward sweep; else only hidden and the last cells are written
};

struct BackwardSweep {
  Rows rows;
  int first = 0;
  int end = 0;
  const __half* weights = nullptr;  ///< (4H * H) packed, patch.cuh
  const float* gates = nullptr;     ///< (M, 4H) activations
  const float* cells = nullptr;     ///< (M, H)
  const float* hidden_gradient =
      nullptr;                      ///< (M, H) d loss / d h_t but for what comes through h_{t+1}
  __half* gate_gradient = nullptr;  ///< (M, 4H) out: d loss / d z
  float* carried = nullptr;         ///< (2, B, H) d loss / d h and / d c of step first - 1
  DerivativeLimit limit;
};

/// How many cells a network of `cells` cells has to be padded to for the sweeps: 128, 256 or 512. 0
/// where this GPU has no clusters, or for networks that do not fit.
int sweep_width(int cells);

/// REQUIRES sweep_width(cells) == cells. `group` is the sequences of a cluster: 8, 16 or 32.
void forward_sweep(int cells, int group, const ForwardSweep& sweep, cudaStream_t stream);
void backward_sweep(int cells, int group, const BackwardSweep& sweep, cudaStream_t stream);

}  // namespace gradus::cuda
