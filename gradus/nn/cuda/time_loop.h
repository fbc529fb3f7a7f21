// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "gradus/core/batch.h"
#include "gradus/nn/cuda/derivatives.h"
#include "gradus/nn/cuda/rows.h"

namespace gradus::cuda {

// One layer over all time steps in one kernel, with the recurrent weights in registers. Sequences
// are independent, so a batch is split into groups of at most N sequences, and a cluster of H / 32
// blocks processes each group. A block holds the weights of 32 cells.

// A time loop can be split into segments of steps, [first, end), so that layers can run
// concurrently. A segment continues from what the previous one left in its arrays: the segment that
// ends at `first` if forward, the segment that starts at `end` if backward.

/// Inputs of the lowest layer that a forward time loop processes itself, as halves: at most 16
/// channels.
struct FewInputs {
  const float* weights = nullptr;  ///< (I, 4H); null if inputs are not few
  InputSpec spec;
  RowData data;
};

inline bool are_few(const InputSpec& inputs) {
  return inputs.width() <= 16;
}

struct ForwardTimeLoop {
  Rows rows;
  FewInputs inputs;
  int first = 0;
  int end = 0;
  const __half* weights = nullptr;  ///< (4H * H) packed, patch.cuh
  const float* bias = nullptr;      ///< (4H)
  float* gates = nullptr;    ///< (M, 4H) in: contribution of inputs, unless few; out: activations
  float* cells = nullptr;    ///< (M, H) c_t
  __half* hidden = nullptr;  ///< (M, leading) h_t
  int leading = 0;
  __half* previous = nullptr;  ///< (M, previous_leading) h_{t-1}, 0 at step 0
  int previous_leading = 0;
  bool keep = true;  ///< store all that a backward time loop needs; if false, store only hidden and
                     ///< the last step's cells
};

struct BackwardTimeLoop {
  Rows rows;
  int first = 0;
  int end = 0;
  const __half* weights = nullptr;         ///< (4H * H) packed, patch.cuh
  const float* gates = nullptr;            ///< (M, 4H) activations
  const float* cells = nullptr;            ///< (M, H)
  const float* hidden_gradient = nullptr;  ///< (M, H) d loss / d h_t without the part via h_{t+1}
  __half* gate_gradient = nullptr;         ///< (M, 4H) out: d loss / d z
  /// (2, B, H) on entry, if end < T: what the segment that starts at `end` wrote. On return, if
  /// first > 0: for step first - 1, the part of d loss / d h via h_first, then d loss / d c.
  float* carried = nullptr;
  DerivativeLimit limit;
};

/// Number of cells, 128, 256 or 512, to which a network of `cells` cells must be padded for the
/// time loops. 0 if there are no time loops for it: the GPU is not of compute capability 9.0 or has
/// no room for a cluster, or cells is not a multiple of 32 or is above 512.
int time_loop_width(int cells);

/// Clusters that the GPU runs at once if every block has a multiprocessor to itself, whatever the
/// time loop and its groups. 0 if a time loop does not fit on the GPU. REQUIRES 128, 256 or 512
/// cells and compute capability 9.0.
int clusters_at_once(int cells);

/// The driver's number of clusters that can be active at once, with any number of blocks per
/// multiprocessor: the smallest over the kernels. They also prepare the kernels for their launch.
int forward_clusters(int cells);
int backward_clusters(int cells);

/// REQUIRES that time_loop_width(cells) has returned `cells`. `group` is the number of sequences
/// per cluster: 8, 16 or 32.
void forward_time_loop(int cells, int group, const ForwardTimeLoop& loop, cudaStream_t stream);
void backward_time_loop(int cells, int group, const BackwardTimeLoop& loop, cudaStream_t stream);

}  // namespace gradus::cuda
