// The forward sweep. Block r of a cluster computes cells [32 r, 32 r + 32) of one group of N
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
#include "gradus/nn/cuda/sweep.h"
#include "gradus/nn/cuda/sweep_block.cuh"

namespace gradus::cuda {
namespace {

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

template <int H, int N, bool kFewInputs>
__global__ void __launch_bounds__(kSweepThreads, 1) forward_kernel(ForwardSweep sweep) {
  using Thread = SweepThread<H, N>;
  constexpr int kBlocks = Thread::kBlocks;
  constexpr int kColumns = Thread::kColumns;
  constexpr int kTiles = H / 16;
  constexpr int kPieceBytes = kCellsOfBlock * N * 2;  // a block's piece of h
  // Wait for the pieces in two lots if they take long enough to arrive for this to pay.
  constexpr int kEarly = N > 8 && kBlocks > 8 ? 8 : kBlocks - 1;
  constexpr int kLate = kBlocks - 1 - kEarly;
  extern __shared__ __align__(128) unsigned char memory[];
  auto& shared = *reinterpret_cast<ForwardShared<H, N, kFewInputs>*>(memory);

  const Thread self;
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = self.lane;
  const int cell = self.cell;
  const Rows& rows = sweep.rows;
  const int steps = min(rows.lengths[self.group], sweep.end);
  if (steps <= sweep.first) return;

  // The block that sends piece p, numbered 0 to kBlocks - 1 in the order of the products.
  const auto sender = [&](int p) { return (self.rank - p + kBlocks) % kBlocks; };
  std::uint32_t weights[kTiles][4];
  self.load_weights(sweep.weights, weights, [&](int k) { return sender(k / 2) * 2 + k % 2; });
  float bias[4];
  for (int gate = 0; gate < 4; ++gate) bias[gate] = sweep.bias[gate * H + cell];

  const std::uint32_t hidden_address = shared_address(shared.hidden);
  const TurnBarriers early(shared.early, kEarly * kPieceBytes);
  const TurnBarriers late(shared.late, kLate * kPieceBytes);

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
  }
  InputTile<H, N> input_tile(sweep, self, shared.inputs);
  std::uint32_t input_weights[4];
  if constexpr (kFewInputs) {
    input_tile.load_weights(self, input_weights);
    input_tile.load(sweep.first, start);
    input_tile.put();
    input_tile.load(sweep.first + 1, next);
  } else {
    load_inputs(start, next - start);
  }
  fence_for_products();
  cluster_sync();
  for (int t = sweep.first; t < steps; ++t) {
    const int turn = t - sweep.first;
    if (kFewInputs || t > 0) {
      float sum[N / 2];
      products_begin();
      if constexpr (kFewInputs) {
        product<N>(sum, input_weights, operand_descriptor<N>(shared_address(shared.inputs)), true);
      }
      if (t > 0) {
        const std::uint32_t pieces = hidden_address + ((turn - 1) & 1) * (H * N * 2);
#pragma unroll
        for (int p = 0; p < kBlocks; ++p) {
          if (turn > 0 && p == 1) early.wait(turn - 1);
          if (turn > 0 && p == 1 + kEarly) late.wait(turn - 1);
          if (p == 1 || p == 1 + kEarly) fence_for_products();
#pragma unroll
          for (int k = 2 * p; k < 2 * p + 2; ++k) {
            const int tile = sender(p) * 2 + k % 2;
            product<N>(sum, weights[k], operand_descriptor<N>(pieces + tile * (N * 32)),
                       !kFewInputs && k == 0);
          }
        }
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
      gates[i] = {bias[0], bias[1], bias[2], bias[3]};
      const auto add = [&](float to_i, float to_f, float to_g, float to_o) {
        gates[i].i += to_i;
        gates[i].f += to_f;
        gates[i].g += to_g;
        gates[i].o += to_o;
      };
      if (!kFewInputs) add(inputs[0][i], inputs[1][i], inputs[2][i], inputs[3][i]);
      if (kFewInputs || t > 0) {
        const float* from = shared.sums + column * kSumStride + lane;
        add(from[0], from[32], from[64], from[96]);
      }
      const CellState state = step_forward<QuickActivations>(gates[i], c[i]);
      c[i] = state.c;
      h[i] = __float2half_rn(state.h);
      own[lane / 8 * (N * 8) + column * 8 + lane % 8] = h[i];
    }
    const bool last = t + 1 == steps;
    if (!last) {
      if (kFewInputs) input_tile.put();
      fence_for_products();
      __syncthreads();
      if (thread < kBlocks - 1) {
        const int peer = (self.rank + 1 + thread) % kBlocks;
        const TurnBarriers& barriers = thread < kEarly ? early : late;
        copy_async(at_block(shared_address(own), peer), shared_address(own), kPieceBytes,
                   at_block(barriers.of(turn), peer));
      }
      if (!kFewInputs) load_inputs(next, after - next);
    }
    // Store last what no other block waits for.
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
    if (kFewInputs) input_tile.load(t + 2, next);
    after = rows.starts[t + 3 <= rows.steps ? t + 3 : rows.steps];
  }
  // Keep this block's shared memory alive until all blocks have sent their pieces.
  cluster_sync();
}

}  // namespace

void forward_sweep(int cells, int group, const ForwardSweep& sweep, cudaStream_t stream) {
  with_sizes(cells, group, [&](auto h, auto n) {
    constexpr int H = h.value, N = n.value;
    const auto launch = [&](auto few) {
      constexpr bool kFew = few.value;
      launch_sweep<forward_kernel<H, N, kFew>, sizeof(ForwardShared<H, N, kFew>), H, N>(
          sweep, stream, "forward sweep");
    };
    if (sweep.inputs.weights != nullptr) {
      launch(std::true_type());
    } else {
      launch(std::false_type());
    }
  });
}

}  // namespace gradus::cuda
