// SPDX-License-Identifier: Apache-2.0
#pragma once

// The backward time loop. Block r of a cluster holds the columns of R of its cells, [32 r, 32 r +
// 32) of each gate. At each step, from the last to the first, it computes d loss / d z of its cells
// from their d loss / d h_t and multiplies
//
//   R dz = its part of d loss / d h_{t-1}        (H, N) = (H, 128) (128, N)
//
// for all H cells. It sends every block the 32 rows of that block's cells. In step t - 1 each block
// adds the parts that it received, in the order of the blocks. So each block sends 32 N numbers to
// each block, a quarter of what exchanging the gate gradients would take. This exchange dominates
// the cost of a step, so the numbers are halves. That rounds d loss / d h about as much as its gate
// gradients are rounded afterwards; the sum is float.

#include "gradus/nn/cuda/cell.cuh"
#include "gradus/nn/cuda/operands.cuh"
#include "gradus/nn/cuda/time_loop.h"
#include "gradus/nn/cuda/time_loop_block.cuh"

namespace gradus::cuda {

constexpr int kGateColumns = 4 * kCellsOfBlock;
constexpr int kTilesOfStrip = kGateColumns / 16;

template <int H, int N>
struct BackwardShared {
  // What each block adds to d loss / d h of this block's cells, two sequences per word. In a
  // product, columns 8 j + 2 q and 8 j + 2 q + 1 are word j % kWords of entry (block, j / kWords,
  // q, cell).
  static constexpr int kWords = N == 8 ? 1 : 2;
  std::uint32_t parts[2][H * N / 2];
  // In tiles of operand_descriptor<N>(), with k = cell * 4 + gate.
  __half gate_gradient[2][kGateColumns * N];
  std::uint64_t arrived[2];
};

// A thread's part of R, in registers: tiles of 16 by 16, strip by strip.
template <int H>
struct BackwardWeights {
  std::uint32_t tiles[H / 128 * kTilesOfStrip][4];
};

// What a thread reads and computes in a step: one cell of kColumns sequences.
template <int kColumns>
struct BackwardCells {
  Gates gates[kColumns];
  float c[kColumns], c_before[kColumns];
  float from_above[kColumns];             // d loss / d h_t without the part via h_{t+1}
  float dc[kColumns] = {};                // d loss / d c_t without the part via h_t
  __half2 low[kColumns], high[kColumns];  // gradients of gates i, f and g, o
};

// First rows of steps t, t - 1 and t - 2, and the number of sequences longer than t. The last row
// is loaded a step before it is needed.
struct BackwardRows {
  int start, before, two_before, active;

  __device__ __forceinline__ BackwardRows(const Rows& rows, int t)
      : start(start_of(rows, t)),
        before(start_of(rows, t - 1)),
        two_before(start_of(rows, t - 2)),
        active(rows.starts[t + 1] - start) {}

  /// Moves from step t to step t - 1.
  __device__ __forceinline__ void advance(const Rows& rows, int t) {
    active = start - before;
    start = before;
    before = two_before;
    two_before = start_of(rows, t - 3);
  }

 private:
  __device__ __forceinline__ static int start_of(const Rows& rows, int t) {
    return t > 0 ? rows.starts[t] : 0;
  }
};

// One thread of the kernel. Its methods are the steps of the kernel, in order. Arrays are not
// members but arguments: the compiler optimises an object with arrays later, and less.
template <int H, int N>
class BackwardThread {
 public:
  using Weights = BackwardWeights<H>;
  using Cells = BackwardCells<N / 8>;

  __device__ __forceinline__ BackwardThread(const BackwardTimeLoop& loop,
                                            const TimeLoopThread<H, N>& self,
                                            BackwardShared<H, N>& shared)
      : loop_(loop), self_(self), shared_(shared), barriers_(shared.arrived, H * N * 2) {}

  __device__ __forceinline__ void load_weights(Weights& weights) const {
    self_.load_weights(loop_.weights, weights.tiles, [](int k) { return k; });
  }

  /// REQUIRES a cluster_sync() before any block sends.
  __device__ __forceinline__ void init_barriers() const { barriers_.init(); }

  /// Loads all data of the first step.
  __device__ __forceinline__ void load_first_step(int t, const BackwardRows& rows,
                                                  Cells& cells) const {
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int b = sequence(i);
      cells.c[i] = b < rows.active ? cell_state(rows.start + b) : 0.0f;
    }
    load_step(t, rows, cells);
    add_carried(cells);
  }

  /// Loads the data of step t. Step t + 1 loaded its c as c_before, except for the sequences from
  /// `later_active` on, whose last step is t.
  __device__ __forceinline__ void load_next_step(int t, const BackwardRows& rows, int later_active,
                                                 Cells& cells) const {
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int b = sequence(i);
      if (b < rows.active && b >= later_active) cells.c[i] = cell_state(rows.start + b);
    }
    load_step(t, rows, cells);
  }

  /// dh += the parts of d loss / d h that all blocks sent in a turn, in the order of the blocks.
  __device__ __forceinline__ void add_parts(int turn, float (&dh)[N / 8]) const {
    barriers_.wait(turn);
    const int column = column_of(0);
    const int word = (column / 8 / kWords * 4 + column % 8 / 2) * 32 + self_.lane;
    float sum[kColumns] = {};
#pragma unroll
    for (int block = 0; block < kBlocks; ++block) {
      const std::uint32_t* part = shared_.parts[turn & 1] + block * (N / 2 * 32) + word * kWords;
      if constexpr (kColumns == 4) {
        const uint2 both = *reinterpret_cast<const uint2*>(part);
        const float2 low = two_floats(both.x), high = two_floats(both.y);
        sum[0] += low.x;
        sum[1] += low.y;
        sum[2] += high.x;
        sum[3] += high.y;
      } else {
        const float2 two = two_floats(part[column / 8 % kWords]);
        sum[0] += column % 2 == 0 ? two.x : two.y;
        if constexpr (kColumns == 2) sum[1] += two.y;
      }
    }
#pragma unroll
    for (int i = 0; i < kColumns; ++i) dh[i] += sum[i];
  }

  /// Computes the gate gradients of a step from d loss / d h_t and writes them to shared memory.
  /// Returns false if one is too large.
  __device__ __forceinline__ bool step_cells(int turn, const BackwardRows& rows,
                                             const float (&dh)[N / 8], Cells& cells) const {
    bool fits = true;
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      Gates d = step_backward<QuickActivations>(cells.gates[i], cells.c[i], cells.c_before[i],
                                                dh[i], cells.dc[i]);
      if (sequence(i) >= rows.active) {
        d = {0, 0, 0, 0};
        cells.dc[i] = 0;
      }
      if (!limit_derivatives<__half>(loop_.limit.largest, d)) fits = false;
      cells.low[i] = __floats2half2_rn(d.i, d.f);
      cells.high[i] = __floats2half2_rn(d.g, d.o);
      auto* to =
          reinterpret_cast<__half2*>(shared_.gate_gradient[turn & 1] + self_.lane / 2 * (N * 8) +
                                     column_of(i) * 8 + self_.lane % 2 * 4);
      to[0] = cells.low[i];
      to[1] = cells.high[i];
      cells.c[i] = cells.c_before[i];
    }
    return fits;
  }

  /// Multiplies R and the block's gate gradients, and sends each block its rows of the product. If
  /// registers allow, queues the products of several strips at once. Sends each as soon as it is
  /// done.
  __device__ __forceinline__ void multiply_and_send(int turn, const Weights& weights) const {
    fence_for_products();
    __syncthreads();
    for_constants<kStrips / kStripsAtOnce>([&](auto batch) {
      float sums[kStripsAtOnce][N / 2];
      products_begin();
#pragma unroll
      for (int s = 0; s < kStripsAtOnce; ++s) {
        multiply(turn, batch.value * kStripsAtOnce + s, weights, sums[s]);
        products_commit();
      }
      for_constants<kStripsAtOnce>([&](auto s) {
        products_wait<kStripsAtOnce - 1 - s.value>();
        send(turn, batch.value * kStripsAtOnce + s.value, sums[s.value]);
      });
    });
  }

  /// Stores the gate gradients of a step.
  __device__ __forceinline__ void store(const BackwardRows& rows, const Cells& cells) const {
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int b = sequence(i);
      if (b >= rows.active) continue;
      __half* out =
          loop_.gate_gradient + static_cast<std::size_t>(rows.start + b) * 4 * H + self_.cell;
      out[0] = __low2half(cells.low[i]);
      out[H] = __high2half(cells.low[i]);
      out[2 * H] = __low2half(cells.high[i]);
      out[3 * H] = __high2half(cells.high[i]);
    }
  }

  /// Stores what the segment before needs: the parts sent in the last turn, and dc.
  __device__ __forceinline__ void store_carried(int turn, const BackwardRows& rows,
                                                const Cells& cells) const {
    float dh_before[kColumns] = {};
    add_parts(turn, dh_before);
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int b = sequence(i);
      if (b >= rows.active) continue;
      const std::size_t at = static_cast<std::size_t>(b) * H + self_.cell;
      loop_.carried[at] = dh_before[i];
      carried_dc()[at] = cells.dc[i];
    }
  }

 private:
  static constexpr int kBlocks = TimeLoopThread<H, N>::kBlocks;
  static constexpr int kColumns = TimeLoopThread<H, N>::kColumns;
  static constexpr int kWords = BackwardShared<H, N>::kWords;
  static constexpr int kStrips = H / 128;  // strips of 64 rows per warpgroup
  static constexpr int kStripsAtOnce = N == 32 ? 1 : kStrips;

  // The columns of a thread: those of as many words as it needs, all with the same q.
  __device__ __forceinline__ int column_of(int i) const {
    const int warp = self_.warp;
    if constexpr (N == 32) return warp / 4 * 16 + i / 2 * 8 + warp % 4 * 2 + i % 2;
    return self_.first_column + i;
  }
  __device__ __forceinline__ int sequence(int i) const {
    return self_.group + column_of(i);
  }

  __device__ __forceinline__ float cell_state(int row) const {
    return loop_.cells[static_cast<std::size_t>(row) * H + self_.cell];
  }

  __device__ __forceinline__ float* carried_dc() const {
    return loop_.carried + static_cast<std::size_t>(loop_.rows.sequences) * H;
  }

  // Loads the data of step t, except c.
  __device__ __forceinline__ void load_step(int t, const BackwardRows& rows, Cells& cells) const {
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int b = sequence(i);
      cells.gates[i] = {0, 0, 0, 0};
      cells.c_before[i] = cells.from_above[i] = 0;
      if (b >= rows.active) continue;
      const std::size_t row = rows.start + b;
      const float* from = loop_.gates + row * 4 * H + self_.cell;
      cells.gates[i] = {from[0], from[H], from[2 * H], from[3 * H]};
      cells.from_above[i] = loop_.hidden_gradient[row * H + self_.cell];
      if (t > 0) cells.c_before[i] = cell_state(rows.before + b);
    }
  }

  // Adds what the segment after stored, for the sequences that go on there.
  __device__ __forceinline__ void add_carried(Cells& cells) const {
    const Rows& rows = loop_.rows;
    const int going_on =
        loop_.end < rows.steps ? rows.starts[loop_.end + 1] - rows.starts[loop_.end] : 0;
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int b = sequence(i);
      if (b >= going_on) continue;
      const std::size_t at = static_cast<std::size_t>(b) * H + self_.cell;
      cells.from_above[i] += loop_.carried[at];
      cells.dc[i] = carried_dc()[at];
    }
  }

  // sum = a strip of R times the gate gradients.
  __device__ __forceinline__ void multiply(int turn, int strip, const Weights& weights,
                                           float (&sum)[N / 2]) const {
    const std::uint32_t gradient =
        shared_address(shared_.gate_gradient) + (turn & 1) * (kGateColumns * N * 2);
#pragma unroll
    for (int k = 0; k < kTilesOfStrip; ++k) {
      product<N>(sum, weights.tiles[strip * kTilesOfStrip + k],
                 operand_descriptor<N>(gradient + k * (N * 32)), k == 0);
    }
  }

  // Sends the thread's part of a strip's product, two rows, to the block that has their cells.
  __device__ __forceinline__ void send(int turn, int strip_of_warp,
                                       const float (&sum)[N / 2]) const {
    const int lane = self_.lane;
    const int warp = self_.warp;
    // Rows of the product are cells in order: 64 per strip, 16 per warp, 32 per block.
    const int strip = warp / 4 * kStrips + strip_of_warp;
    const int row = strip * 64 + warp % 4 * 16 + lane / 4;
    const int owner = row / kCellsOfBlock;
    const std::uint32_t barrier = at_block(barriers_.of(turn), owner);
    const std::uint32_t place = at_block(shared_address(shared_.parts), owner);
    // Send this row, and the one 8 rows further.
#pragma unroll
    for (int j = 0; j < N / 8; j += kWords) {
      const int of_block =
          (((turn & 1) * kBlocks + self_.rank) * (N / 8 / kWords) + j / kWords) * 4;
      const int at = (of_block + lane % 4) * 32 + row % kCellsOfBlock;
#pragma unroll
      for (int n = 0; n < 2; ++n) {
        const std::uint32_t to = place + (at + 8 * n) * (4 * kWords);
        const auto word = [&](int k) {
          return two_halves(sum[4 * (j + k) + 2 * n], sum[4 * (j + k) + 2 * n + 1]);
        };
        if constexpr (kWords == 2) {
          store_async(to, uint2{word(0), word(1)}, barrier);
        } else {
          store_async(to, word(0), barrier);
        }
      }
    }
  }

  const BackwardTimeLoop& loop_;
  const TimeLoopThread<H, N>& self_;
  BackwardShared<H, N>& shared_;
  const TurnBarriers barriers_;
};

}  // namespace gradus::cuda
