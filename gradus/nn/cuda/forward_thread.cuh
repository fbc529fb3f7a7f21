// SPDX-License-Identifier: Apache-2.0
#pragma once

// The forward time loop. Block r of a cluster computes cells [32 r, 32 r + 32) of one group of N
// sequences. At each step
//
//   z = (contribution of inputs) + bias + R^T h_{t-1}        (128, N) = (128, H) (H, N)
//
// runs on the tensor cores with the block's R^T (128 rows: gate * 32 + cell) in registers, 64 rows
// per warpgroup, and h_{t-1} in shared memory. The block then applies the activations and copies
// its 32 x N piece of h_t to all blocks of the cluster, whose barriers count the bytes. h is double
// buffered: a block may send h_t while another still reads h_{t-1}. It cannot run further ahead,
// because h_{t+1} needs every block's h_t.
//
// A block sends its piece to the next block first and to the previous block last. Products use the
// pieces in the order of their arrival: the block's own, then those of the blocks before it, the
// nearest first.

#include "gradus/nn/cuda/cell.cuh"
#include "gradus/nn/cuda/input_tile.cuh"
#include "gradus/nn/cuda/time_loop.h"
#include "gradus/nn/cuda/time_loop_block.cuh"

namespace gradus::cuda {

constexpr int kGateRows = 4 * kCellsOfBlock;
// Four floats of padding put the columns of a product's fragment into different banks.
constexpr int kSumStride = kGateRows + 4;

template <int H, int N, bool kFewInputs>
struct ForwardShared {
  __half hidden[2][H * N];  // in tiles of operand_descriptor<N>()
  __half inputs[kFewInputs ? InputTile<H, N>::kSize : 8];
  float sums[N * kSumStride];  // (N, 128) the product, transposed
  std::uint64_t early[2], late[2];
};

// First rows of a step t and of the two after it. The last is loaded a step before it is needed.
struct ForwardRows {
  int start, next, after;

  __device__ __forceinline__ ForwardRows(const Rows& rows, int t)
      : start(rows.starts[t]),
        next(rows.starts[t + 1]),
        after(rows.starts[min(t + 2, rows.steps)]) {}

  __device__ __forceinline__ int active() const { return next - start; }
  __device__ __forceinline__ int still_active() const { return after - next; }

  /// Moves on to step t + 1. load_after() completes it.
  __device__ __forceinline__ void advance() {
    start = next;
    next = after;
  }
  __device__ __forceinline__ void load_after(const Rows& rows, int t) {
    after = rows.starts[t + 2 <= rows.steps ? t + 2 : rows.steps];
  }
};

// A thread's part of the weights, in registers.
template <int H>
struct ForwardWeights {
  std::uint32_t recurrent[H / 16][4];  // tiles of R^T, in the order of the products
  std::uint32_t few_inputs[4];
  float bias[4];
};

// What a thread computes in a step: one cell of kColumns sequences.
template <int kColumns>
struct ForwardCells {
  float inputs[4][kColumns];  // contribution of the inputs to each gate, unless they are few
  Gates gates[kColumns];
  float c[kColumns] = {};
  __half h[kColumns];
};

// One thread of the kernel. Its methods are the steps of the kernel, in order. Arrays are not
// members but arguments: the compiler optimises an object with arrays later, and less.
template <int H, int N, bool kFewInputs>
class ForwardThread {
 public:
  using Weights = ForwardWeights<H>;
  using Cells = ForwardCells<N / 8>;

  __device__ __forceinline__ ForwardThread(const ForwardTimeLoop& loop,
                                           const TimeLoopThread<H, N>& self,
                                           ForwardShared<H, N, kFewInputs>& shared)
      : loop_(loop),
        self_(self),
        shared_(shared),
        early_(shared.early, kEarly * kPieceBytes),
        late_(shared.late, kLate * kPieceBytes) {}

  __device__ __forceinline__ void load_weights(Weights& weights) const {
    self_.load_weights(loop_.weights, weights.recurrent,
                       [&](int k) { return sender(k / 2) * 2 + k % 2; });
    for (int gate = 0; gate < 4; ++gate) weights.bias[gate] = loop_.bias[gate * H + self_.cell];
  }

  /// REQUIRES a cluster_sync() before any block sends.
  __device__ __forceinline__ void init_barriers() const {
    early_.init();
    late_.init();
  }

  /// Loads c and h of the step before the first, which the previous segment stored.
  __device__ __forceinline__ void load_state(const ForwardRows& rows, Cells& cells) const {
    const int before = loop_.rows.starts[loop_.first - 1];
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int b = self_.first_sequence + i;
      if (b < rows.active()) {
        cells.c[i] = loop_.cells[static_cast<std::size_t>(before + b) * H + self_.cell];
      }
    }
    for (int word = thread_; word < H / 8 * N; word += kTimeLoopThreads) {
      const int b = self_.group + word % N;
      uint4 value = {0, 0, 0, 0};
      if (b < rows.active()) {
        value = *reinterpret_cast<const uint4*>(
            loop_.hidden + static_cast<std::size_t>(before + b) * loop_.leading + word / N * 8);
      }
      reinterpret_cast<uint4*>(shared_.hidden[1])[word] = value;
    }
  }

  /// Loads the inputs of the first step and, if they are few, of the second.
  __device__ __forceinline__ void load_first_inputs(const ForwardRows& rows, InputTile<H, N>& tile,
                                                    Weights& weights, Cells& cells) const {
    if constexpr (kFewInputs) {
      tile.load_weights(self_, weights.few_inputs);
      tile.load(loop_.first, rows.start);
      tile.put();
      tile.load(loop_.first + 1, rows.next);
    } else {
      load_inputs(rows.start, rows.active(), cells);
    }
  }

  /// Whether step t has a product. h is 0 before step 0.
  __device__ __forceinline__ static bool has_product(int t) {
    return kFewInputs || t > 0;
  }

  /// shared.sums = R^T h_{t-1} + the contribution of few inputs. Waits for the other blocks' pieces
  /// of h_{t-1} as late as possible.
  __device__ __forceinline__ void multiply(int t, int turn, const Weights& weights) const {
    float sum[N / 2];
    products_begin();
    if constexpr (kFewInputs) {
      product<N>(sum, weights.few_inputs, operand_descriptor<N>(shared_address(shared_.inputs)),
                 true);
    }
    if (t > 0) multiply_hidden(turn, weights, sum);
    products_commit();
    products_wait<0>();
    transpose(sum);
    __syncthreads();
  }

  /// Computes gates, c_t and h_t. Writes h_t to the block's own piece.
  __device__ __forceinline__ void step_cells(int t, int turn, const Weights& weights,
                                             Cells& cells) const {
    __half* const own = own_piece(turn);
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int column = self_.first_column + i;
      Gates& gates = cells.gates[i];
      gates = {weights.bias[0], weights.bias[1], weights.bias[2], weights.bias[3]};
      if (!kFewInputs) {
        add(cells.inputs[0][i], cells.inputs[1][i], cells.inputs[2][i], cells.inputs[3][i], gates);
      }
      if (has_product(t)) {
        const float* from = shared_.sums + column * kSumStride + self_.lane;
        add(from[0], from[32], from[64], from[96], gates);
      }
      const CellState state = step_forward<QuickActivations>(gates, cells.c[i]);
      cells.c[i] = state.c;
      cells.h[i] = __float2half_rn(state.h);
      own[self_.lane / 8 * (N * 8) + column * 8 + self_.lane % 8] = cells.h[i];
    }
  }

  /// Copies the block's piece of h_t to the other blocks. Makes all that the block has written to
  /// shared memory visible to the next step's products.
  __device__ __forceinline__ void send(int turn) const {
    fence_for_products();
    __syncthreads();
    if (thread_ >= kBlocks - 1) return;
    const int peer = (self_.rank + 1 + thread_) % kBlocks;
    const std::uint32_t own = shared_address(own_piece(turn));
    const std::uint32_t barrier = thread_ < kEarly ? early_.of(turn) : late_.of(turn);
    copy_async(at_block(own, peer), own, kPieceBytes, at_block(barrier, peer));
  }

  /// Loads the contribution of the inputs of a step, whose first row is `start`.
  __device__ __forceinline__ void load_inputs(int start, int active, Cells& cells) const {
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int b = self_.first_sequence + i;
      const float* row = loop_.gates + static_cast<std::size_t>(start + b) * 4 * H + self_.cell;
#pragma unroll
      for (int gate = 0; gate < 4; ++gate) {
        cells.inputs[gate][i] = b < active ? row[gate * H] : 0.0f;
      }
    }
  }

  /// Stores what later kernels read.
  __device__ __forceinline__ void store(int t, int steps, const ForwardRows& rows,
                                        const Cells& cells) const {
    const int cell = self_.cell;
    const int active = rows.active();
    const int still_active = rows.still_active();
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int b = self_.first_sequence + i;
      if (b >= active) continue;
      const std::size_t row = rows.start + b;
      loop_.hidden[row * loop_.leading + cell] = cells.h[i];
      if (loop_.keep || t + 1 == steps) loop_.cells[row * H + cell] = cells.c[i];
      if (!loop_.keep) continue;
      float* to = loop_.gates + row * 4 * H + cell;
      to[0] = cells.gates[i].i;
      to[H] = cells.gates[i].f;
      to[2 * H] = cells.gates[i].g;
      to[3 * H] = cells.gates[i].o;
      if (t == 0) loop_.previous[row * loop_.previous_leading + cell] = __half(0.0f);
      if (b < still_active) {
        const std::size_t next = rows.next + b;
        loop_.previous[next * loop_.previous_leading + cell] = cells.h[i];
      }
    }
  }

 private:
  static constexpr int kBlocks = TimeLoopThread<H, N>::kBlocks;
  static constexpr int kColumns = TimeLoopThread<H, N>::kColumns;
  static constexpr int kPieceBytes = kCellsOfBlock * N * 2;  // a block's piece of h
  // Wait for the pieces in two lots if they take long enough to arrive for this to pay.
  static constexpr int kEarly = N > 8 && kBlocks > 8 ? 8 : kBlocks - 1;
  static constexpr int kLate = kBlocks - 1 - kEarly;

  // The block that sends piece p, numbered 0 to kBlocks - 1 in the order of the products.
  __device__ __forceinline__ int sender(int p) const {
    return (self_.rank - p + kBlocks) % kBlocks;
  }

  // This block's piece of h_t.
  __device__ __forceinline__ __half* own_piece(int turn) const {
    return shared_.hidden[turn & 1] + self_.rank * (kCellsOfBlock * N);
  }

  __device__ __forceinline__ static void add(float i, float f, float g, float o, Gates& to) {
    to.i += i;
    to.f += f;
    to.g += g;
    to.o += o;
  }

  // Adds R^T h of the step before to `sum`, or sets it if there are no few inputs in it.
  __device__ __forceinline__ void multiply_hidden(int turn, const Weights& weights,
                                                  float (&sum)[N / 2]) const {
    const std::uint32_t pieces = shared_address(shared_.hidden) + ((turn - 1) & 1) * (H * N * 2);
#pragma unroll
    for (int p = 0; p < kBlocks; ++p) {
      if (turn > 0 && p == 1) early_.wait(turn - 1);
      if (turn > 0 && p == 1 + kEarly) late_.wait(turn - 1);
      if (p == 1 || p == 1 + kEarly) fence_for_products();
#pragma unroll
      for (int k = 2 * p; k < 2 * p + 2; ++k) {
        const int tile = sender(p) * 2 + k % 2;
        product<N>(sum, weights.recurrent[k], operand_descriptor<N>(pieces + tile * (N * 32)),
                   !kFewInputs && k == 0);
      }
    }
  }

  // Writes the thread's part of the product to shared.sums.
  __device__ __forceinline__ void transpose(const float (&sum)[N / 2]) const {
#pragma unroll
    for (int j = 0; j < N / 8; ++j) {
      const int row = self_.warp * 16 + self_.lane / 4;
      float* to = shared_.sums + (8 * j + self_.lane % 4 * 2) * kSumStride + row;
      to[0] = sum[4 * j];
      to[kSumStride] = sum[4 * j + 1];
      to[8] = sum[4 * j + 2];
      to[kSumStride + 8] = sum[4 * j + 3];
    }
  }

  const ForwardTimeLoop& loop_;
  const TimeLoopThread<H, N>& self_;
  ForwardShared<H, N, kFewInputs>& shared_;
  const int thread_ = static_cast<int>(threadIdx.x);
  const TurnBarriers early_, late_;
};

}  // namespace gradus::cuda
