// The forward sweep. Block r of a cluster computes cells [32 r, 32 r + 32) of one group of N
// sequences. At each step
//
//   z = (what the inputs add) + bias + R^T h_{t-1}        (128, N) = (128, H) (H, N)
//
// runs on the tensor cores with the block's R^T (128 rows: gate * 32 + cell) in registers, 64 rows
// a warpgroup, and h_{t-1} in shared memory. The block then squashes its gates, and sends its 32 x
// N piece of h_t to all blocks of the cluster, whose barriers count the bytes. h is kept twice: a
// block may send h_t while another still reads h_{t-1}. It cannot run further ahead, since h_{t+1}
// takes every block's h_t.

#include "gradus/nn/cuda/cell.cuh"
#include "gradus/nn/cuda/sweep.h"
#include "gradus/nn/cuda/sweep_block.cuh"

namespace gradus::cuda {
namespace {

constexpr int kGateRows = 4 * kCellsOfBlock;
// Four floats of padding put the columns of a product's fragment into different banks.
constexpr int kSumStride = kGateRows + 4;

template <int H, int N>
struct ForwardShared {
  __half hidden[2][H * N];     // tiles of operand_descriptor<N>()
  float sums[N * kSumStride];  // (N, 128) R^T h, transposed
  std::uint64_t arrived[2];
};

template <int H, int N>
__global__ void __launch_bounds__(kSweepThreads, 1) forward_kernel(ForwardSweep sweep) {
  using Thread = SweepThread<H, N>;
  constexpr int kBlocks = Thread::kBlocks;
  constexpr int kColumns = Thread::kColumns;
  constexpr int kTiles = H / 16;
  constexpr int kPieceBytes = kCellsOfBlock * N * 2;  // a block's part of h
  extern __shared__ __align__(128) unsigned char memory[];
  auto& shared = *reinterpret_cast<ForwardShared<H, N>*>(memory);

  const Thread self;
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = self.lane;
  const int cell = self.cell;
  const Rows& rows = sweep.rows;
  const int steps = min(rows.lengths[self.group], sweep.end);
  if (steps <= sweep.first) return;

  std::uint32_t weights[kTiles][4];
  self.load_weights(sweep.weights, weights);
  float bias[4];
  for (int gate = 0; gate < 4; ++gate) bias[gate] = sweep.bias[gate * H + cell];

  const std::uint32_t hidden_address = shared_address(shared.hidden);
  const TurnBarriers barriers(shared.arrived, (kBlocks - 1) * kPieceBytes);

  float c[kColumns] = {};
  float inputs[4][kColumns];
  const auto load_inputs = [&](int start, int active) {
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int b = self.first_sequence + i;
      const float* row = sweep.gates + static_cast<std::size_t>(start + b) * 4 * H + cell;
#pragma unroll
      for (int gate = 0; gate < 4; ++gate) inputs[gate][i] = b < active ? row[gate * H] : 0.0f;
    }
  };

  int start = rows.starts[sweep.first];
  int next = rows.starts[sweep.first + 1];
  int after = rows.starts[min(sweep.first + 2, rows.steps)];
  if (sweep.first > 0) {
    const int before = rows.starts[sweep.first - 1];
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int b = self.first_sequence + i;
      if (b < next - start) c[i] = sweep.cells[static_cast<std::size_t>(before + b) * H + cell];
    }
    for (int word = thread; word < H / 8 * N; word += kSweepThreads) {
      const int b = self.group + word % N;
      uint4 value = {0, 0, 0, 0};
      if (b < next - start) {
        value = *reinterpret_cast<const uint4*>(
            sweep.hidden + static_cast<std::size_t>(before + b) * sweep.leading + word / N * 8);
      }
      reinterpret_cast<uint4*>(shared.hidden[1])[word] = value;
    }
    fence_for_products();
    __syncthreads();
  }
  load_inputs(start, next - start);
  for (int t = sweep.first; t < steps; ++t) {
    const int turn = t - sweep.first;
    if (t > 0) {
      const int half = (turn - 1) & 1;
      if (turn > 0) barriers.wait(turn - 1);
      fence_for_products();
      float sum[N / 2];
      products_begin();
#pragma unroll
      for (int k = 0; k < kTiles; ++k) {
        product<N>(sum, weights[k],
                   operand_descriptor<N>(hidden_address + half * (H * N * 2) + k * (N * 32)),
                   k == 0);
      }
      products_commit();
      products_wait<0>();
#pragma unroll
      for (int j = 0; j < N / 8; ++j) {
        const int row = self.warp * 16 + lane / 4;
        float* to = shared.sums + (8 * j + lane % 4 * 2) * kSumStride + row;
        to[0] = sum[4 * j];
        to[kSumStride] = sum[4 * j + 1];
        to[8] = sum[4 * j + 2];
        to[kSumStride + 8] = sum[4 * j + 3];
      }
      __syncthreads();
    }

    __half* const own = shared.hidden[turn & 1] + self.rank * (kCellsOfBlock * N);
    Gates gates[kColumns];
    __half h[kColumns];
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int column = self.first_column + i;
      gates[i] = {inputs[0][i] + bias[0], inputs[1][i] + bias[1], inputs[2][i] + bias[2],
                  inputs[3][i] + bias[3]};
      if (t > 0) {
        const float* from = shared.sums + column * kSumStride + lane;
        gates[i].i += from[0];
        gates[i].f += from[32];
        gates[i].g += from[64];
        gates[i].o += from[96];
      }
      const CellState state = step_forward<QuickActivations>(gates[i], c[i]);
      c[i] = state.c;
      h[i] = __float2half_rn(state.h);
      own[lane / 8 * (N * 8) + column * 8 + lane % 8] = h[i];
    }
    const bool last = t + 1 == steps;
    if (!last) {
      fence_for_products();
      __syncthreads();
      constexpr int kWords = kPieceBytes / 16;
      const int word = thread % kWords;
      const uint4 value = reinterpret_cast<const uint4*>(own)[word];
      const std::uint32_t place = shared_address(own) + word * 16;
#pragma unroll
      for (int p = thread / kWords; p < kBlocks - 1; p += kSweepThreads / kWords) {
        const int peer = (self.rank + 1 + p) % kBlocks;
        store_async(at_block(place, peer), value, at_block(barriers.of(turn), peer));
      }
      load_inputs(next, after - next);
    }
    // All that nobody waits for comes after what the other blocks wait for.
    const int active = next - start;
    const int still_active = after - next;
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int b = self.first_sequence + i;
      if (b >= active) continue;
      const std::size_t row = start + b;
      sweep.hidden[row * sweep.leading + cell] = h[i];
      if (sweep.keep || last) sweep.cells[row * H + cell] = c[i];
      if (!sweep.keep) continue;
      float* to = sweep.gates + row * 4 * H + cell;
      to[0] = gates[i].i;
      to[H] = gates[i].f;
      to[2 * H] = gates[i].g;
      to[3 * H] = gates[i].o;
      if (t == 0) sweep.previous[row * sweep.previous_leading + cell] = __half(0.0f);
      if (b < still_active) {
        sweep.previous[static_cast<std::size_t>(next + b) * sweep.previous_leading + cell] = h[i];
      }
    }
    if (last) break;
    start = next;
    next = after;
    after = rows.starts[t + 3 <= rows.steps ? t + 3 : rows.steps];
  }
  // A block's shared memory must last until all have sent their pieces.
  cluster_sync();
}

}  // namespace

void forward_sweep(int cells, int group, const ForwardSweep& sweep, cudaStream_t stream) {
  with_sizes(cells, group, [&](auto h, auto n) {
    constexpr int H = h.value, N = n.value;
    launch_sweep<forward_kernel<H, N>, sizeof(ForwardShared<H, N>), H, N>(sweep, stream,
                                                                          "forward sweep");
  });
}

}  // namespace gradus::cuda
