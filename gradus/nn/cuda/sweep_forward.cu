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
#include "gradus/nn/cuda/cluster.cuh"
#include "gradus/nn/cuda/sweep.h"
#include "gradus/nn/cuda/sweep_launch.cuh"

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
  constexpr int kBlocks = H / kCellsOfBlock;
  constexpr int kTiles = H / 16;
  constexpr int kColumns = N / 8;                     // sequences of a thread
  constexpr int kPieceBytes = kCellsOfBlock * N * 2;  // a block's part of h
  extern __shared__ __align__(128) unsigned char memory[];
  auto& shared = *reinterpret_cast<ForwardShared<H, N>*>(memory);

  const int thread = threadIdx.x;
  const int lane = thread % 32;
  const int warp = thread / 32;
  const int rank = static_cast<int>(cluster_rank());
  const int first_sequence = static_cast<int>(blockIdx.x) / kBlocks * N;
  const int cell = rank * kCellsOfBlock + lane;
  const int first_column = warp * kColumns;
  const Rows& rows = sweep.rows;
  const int steps = min(rows.lengths[first_sequence], sweep.end);
  if (steps <= sweep.first) return;

  std::uint32_t weights[kTiles][4];
  const uint4* packed =
      reinterpret_cast<const uint4*>(sweep.weights) + (rank * 8 + warp) * kTiles * 32 + lane;
#pragma unroll
  for (int k = 0; k < kTiles; ++k) {
    const uint4 tile = packed[k * 32];
    weights[k][0] = tile.x;
    weights[k][1] = tile.y;
    weights[k][2] = tile.z;
    weights[k][3] = tile.w;
  }
  float bias[4];
  for (int gate = 0; gate < 4; ++gate) bias[gate] = sweep.bias[gate * H + cell];

  const std::uint32_t hidden_address = shared_address(shared.hidden);
  const std::uint32_t barriers = shared_address(shared.arrived);
  if (thread == 0) {
    for (int b = 0; b < 2; ++b) barrier_init(barriers + 8 * b);
  }
  __syncthreads();
  if (thread == 0) {
    for (int b = 0; b < 2; ++b) barrier_expect(barriers + 8 * b, (kBlocks - 1) * kPieceBytes);
  }
  cluster_sync();

  float c[kColumns] = {};
  float inputs[4][kColumns];
  const auto load_inputs = [&](int start, int active) {
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int b = first_sequence + first_column + i;
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
      const int b = first_sequence + first_column + i;
      if (b < next - start) c[i] = sweep.cells[static_cast<std::size_t>(before + b) * H + cell];
    }
    for (int word = thread; word < H / 8 * N; word += kSweepThreads) {
      const int b = first_sequence + word % N;
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
      if (turn > 0) {
        barrier_wait(barriers + 8 * half, (turn - 1) >> 1 & 1);
        if (thread == 0) barrier_expect(barriers + 8 * half, (kBlocks - 1) * kPieceBytes);
      }
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
        const int row = warp * 16 + lane / 4;
        float* to = shared.sums + (8 * j + lane % 4 * 2) * kSumStride + row;
        to[0] = sum[4 * j];
        to[kSumStride] = sum[4 * j + 1];
        to[8] = sum[4 * j + 2];
        to[kSumStride + 8] = sum[4 * j + 3];
      }
      __syncthreads();
    }

    __half* const own = shared.hidden[turn & 1] + rank * (kCellsOfBlock * N);
    Gates gates[kColumns];
    __half h[kColumns];
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int column = first_column + i;
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
        const int peer = (rank + 1 + p) % kBlocks;
        store_async(at_block(place, peer), value, at_block(barriers + 8 * (turn & 1), peer));
      }
      load_inputs(next, after - next);
    }
    // All that nobody waits for comes after what the other blocks wait for.
    const int active = next - start;
    const int still_active = after - next;
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int b = first_sequence + first_column + i;
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

template <int H, int N>
void launch(const ForwardSweep& sweep, cudaStream_t stream) {
  constexpr int kBytes = sizeof(ForwardShared<H, N>);
  constexpr const char* kName = "forward sweep";
  static const bool allowed = allow(forward_kernel<H, N>, kBytes, kName);
  static_cast<void>(allowed);
  launch_sweep(forward_kernel<H, N>, H / kCellsOfBlock, (sweep.rows.sequences + N - 1) / N, kBytes,
               sweep, stream, kName);
}

}  // namespace

void forward_sweep(int cells, int group, const ForwardSweep& sweep, cudaStream_t stream) {
  with_sizes(cells, group, [&](auto h, auto n) { launch<h.value, n.value>(sweep, stream); });
}

}  // namespace gradus::cuda
