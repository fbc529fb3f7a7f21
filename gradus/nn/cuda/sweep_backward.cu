// The backward sweep. Block r of a cluster holds the columns of R of its cells, [32 r, 32 r + 32)
// of each gate. At each step, from the last to the first, it computes d loss / d z of its cells
// from their d loss / d h_t and multiplies
//
//   R dz = its part of d loss / d h_{t-1}        (H, N) = (H, 128) (128, N)
//
// for all H cells. It sends every block the 32 rows of that block's cells. In step t - 1 each block
// adds the parts that it received, in the order of the blocks. So each block sends 32 N numbers to
// each block, a quarter of what exchanging the gate gradients would take. This exchange dominates
// the cost of a step, so the numbers are halves. That rounds d loss / d h about as much as its gate
// gradients are rounded afterwards; the sum is float.

#include <utility>

#include "gradus/nn/cuda/cell.cuh"
#include "gradus/nn/cuda/halves.cuh"
#include "gradus/nn/cuda/sweep.h"
#include "gradus/nn/cuda/sweep_block.cuh"

namespace gradus::cuda {
namespace {

constexpr int kGateColumns = 4 * kCellsOfBlock;

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

// Calls body(0), ..., body(kCount - 1), with the arguments as compile-time constants.
template <int kCount, typename Body>
__device__ inline void for_constants(Body body) {
  [&]<int... k>(std::integer_sequence<int, k...>) {
    (body(std::integral_constant<int, k>()), ...);
  }
  (std::make_integer_sequence<int, kCount>());
}

template <int H, int N>
__global__ void __launch_bounds__(kSweepThreads, 1) backward_kernel(BackwardSweep sweep) {
  using Thread = SweepThread<H, N>;
  constexpr int kBlocks = Thread::kBlocks;
  constexpr int kColumns = Thread::kColumns;
  constexpr int kTiles = kGateColumns / 16;
  constexpr int kStrips = H / 128;  // strips of 64 rows per warpgroup
  constexpr int kStripsAtOnce = N == 32 ? 1 : kStrips;
  extern __shared__ __align__(128) unsigned char memory[];
  auto& shared = *reinterpret_cast<BackwardShared<H, N>*>(memory);

  const Thread self;
  const int lane = self.lane;
  const int warp = self.warp;
  const int cell = self.cell;
  const Rows& rows = sweep.rows;
  const int steps = min(rows.lengths[self.group], sweep.end);
  if (steps <= sweep.first) return;

  std::uint32_t weights[kStrips * kTiles][4];
  self.load_weights(sweep.weights, weights, [](int k) { return k; });

  const std::uint32_t gradient_address = shared_address(shared.gate_gradient);
  const std::uint32_t parts_address = shared_address(shared.parts);
  const TurnBarriers barriers(shared.arrived, H * N * 2);
  cluster_sync();
  constexpr int kWords = BackwardShared<H, N>::kWords;
  // The columns of a thread: those of as many words as it needs, all with the same q.
  const auto column_of = [&](int i) {
    if constexpr (N == 32) return warp / 4 * 16 + i / 2 * 8 + warp % 4 * 2 + i % 2;
    return self.first_column + i;
  };

  Gates gates[kColumns];
  float c[kColumns], c_before[kColumns], from_above[kColumns];
  float dc[kColumns] = {};
  // Loads the data of step t for the thread's sequences, except c: step t + 1 loaded it as
  // c_before.
  const auto load_step = [&](int t, int start, int active, int before) {
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int b = self.group + column_of(i);
      gates[i] = {0, 0, 0, 0};
      c_before[i] = from_above[i] = 0;
      if (b >= active) continue;
      const std::size_t row = start + b;
      const float* from = sweep.gates + row * 4 * H + cell;
      gates[i] = {from[0], from[H], from[2 * H], from[3 * H]};
      from_above[i] = sweep.hidden_gradient[row * H + cell];
      if (t > 0) c_before[i] = sweep.cells[static_cast<std::size_t>(before + b) * H + cell];
    }
  };

  const auto start_of = [&](int t) { return t > 0 ? rows.starts[t] : 0; };
  // First rows of steps t, t - 1 and t - 2. The last is loaded one step before it is needed.
  int start = start_of(steps - 1);
  int before = start_of(steps - 2);
  int two_before = start_of(steps - 3);
  int active = rows.starts[steps] - start;
#pragma unroll
  for (int i = 0; i < kColumns; ++i) {
    const int b = self.group + column_of(i);
    c[i] = b < active ? sweep.cells[static_cast<std::size_t>(start + b) * H + cell] : 0.0f;
  }
  load_step(steps - 1, start, active, before);
  float* const carried_dc = sweep.carried + static_cast<std::size_t>(rows.sequences) * H;
  const int going_on =
      sweep.end < rows.steps ? rows.starts[sweep.end + 1] - rows.starts[sweep.end] : 0;
#pragma unroll
  for (int i = 0; i < kColumns; ++i) {
    const int b = self.group + column_of(i);
    if (b >= going_on) continue;
    const std::size_t at = static_cast<std::size_t>(b) * H + cell;
    from_above[i] += sweep.carried[at];
    dc[i] = carried_dc[at];
  }
  // Adds what all blocks sent, in the order of the blocks. `turn` counts the sends.
  const auto add_parts = [&](int turn, float(&dh)[kColumns]) {
    const int slot = turn & 1;
    barriers.wait(turn);
    const int column = column_of(0);
    const int word = (column / 8 / kWords * 4 + column % 8 / 2) * 32 + lane;
    float sum[kColumns] = {};
#pragma unroll
    for (int block = 0; block < kBlocks; ++block) {
      const std::uint32_t* part = shared.parts[slot] + block * (N / 2 * 32) + word * kWords;
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
  };
  bool too_large = false;
  for (int t = steps - 1; t >= sweep.first; --t) {
    const int turn = steps - 1 - t;
    const int half = turn & 1;
    float dh[kColumns];
#pragma unroll
    for (int i = 0; i < kColumns; ++i) dh[i] = from_above[i];
    if (turn > 0) add_parts(turn - 1, dh);

    __half* const own = shared.gate_gradient[half];
    __half2 low[kColumns], high[kColumns];  // gradients of gates i, f and g, o
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int column = column_of(i);
      Gates d = step_backward<QuickActivations>(gates[i], c[i], c_before[i], dh[i], dc[i]);
      if (self.group + column_of(i) >= active) {
        d = {0, 0, 0, 0};
        dc[i] = 0;
      }
      if (!limit_derivatives<__half>(sweep.limit.largest, d)) too_large = true;
      low[i] = __floats2half2_rn(d.i, d.f);
      high[i] = __floats2half2_rn(d.g, d.o);
      auto* to = reinterpret_cast<__half2*>(own + lane / 2 * (N * 8) + column * 8 + lane % 2 * 4);
      to[0] = low[i];
      to[1] = high[i];
      c[i] = c_before[i];
    }
    // Store last what no other block waits for.
    const auto store_gradients = [&] {
#pragma unroll
      for (int i = 0; i < kColumns; ++i) {
        const int b = self.group + column_of(i);
        if (b >= active) continue;
        __half* out = sweep.gate_gradient + static_cast<std::size_t>(start + b) * 4 * H + cell;
        out[0] = __low2half(low[i]);
        out[H] = __high2half(low[i]);
        out[2 * H] = __low2half(high[i]);
        out[3 * H] = __high2half(high[i]);
      }
    };
    if (t == 0) {
      store_gradients();
      break;
    }

    fence_for_products();
    __syncthreads();
    // If registers allow, queue the products of several strips at once. Send each as soon as it is
    // done.
    for_constants<kStrips / kStripsAtOnce>([&](auto batch) {
      float sums[kStripsAtOnce][N / 2];
      products_begin();
#pragma unroll
      for (int s = 0; s < kStripsAtOnce; ++s) {
#pragma unroll
        for (int k = 0; k < kTiles; ++k) {
          product<N>(sums[s], weights[(batch.value * kStripsAtOnce + s) * kTiles + k],
                     operand_descriptor<N>(gradient_address + half * (kGateColumns * N * 2) +
                                           k * (N * 32)),
                     k == 0);
        }
        products_commit();
      }
      for_constants<kStripsAtOnce>([&](auto s) {
        products_wait<kStripsAtOnce - 1 - s.value>();
        const float(&sum)[N / 2] = sums[s.value];
        // Rows of the product are cells in order: 64 per strip, 16 per warp, 32 per block.
        const int strip = warp / 4 * kStrips + batch.value * kStripsAtOnce + s.value;
        const int row = strip * 64 + warp % 4 * 16 + lane / 4;
        const int owner = row / kCellsOfBlock;
        const std::uint32_t barrier = at_block(barriers.of(turn), owner);
        const std::uint32_t place = at_block(parts_address, owner);
        // Send this row, and the one 8 rows further.
#pragma unroll
        for (int j = 0; j < N / 8; j += kWords) {
          const int of_block = ((half * kBlocks + self.rank) * (N / 8 / kWords) + j / kWords) * 4;
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
      });
    });
    store_gradients();
    if (t == sweep.first) {
      float dh_before[kColumns] = {};
      add_parts(turn, dh_before);
#pragma unroll
      for (int i = 0; i < kColumns; ++i) {
        const int b = self.group + column_of(i);
        if (b >= active) continue;
        const std::size_t at = static_cast<std::size_t>(b) * H + cell;
        sweep.carried[at] = dh_before[i];
        carried_dc[at] = dc[i];
      }
      break;
    }
    const int later_active = active;
    active = start - before;
    start = before;
    before = two_before;
    two_before = start_of(t - 3);
    // If step t - 1 is the last of a sequence, no later step has loaded its c.
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const int b = self.group + column_of(i);
      if (b < active && b >= later_active) {
        c[i] = sweep.cells[static_cast<std::size_t>(start + b) * H + cell];
      }
    }
    load_step(t - 1, start, active, before);
  }
  if (too_large) *sweep.limit.overflow = 1;
  cluster_sync();
}

}  // namespace

void backward_sweep(int cells, int group, const BackwardSweep& sweep, cudaStream_t stream) {
  with_sizes(cells, group, [&](auto h, auto n) {
    constexpr int H = h.value, N = n.value;
    launch_sweep<backward_kernel<H, N>, sizeof(BackwardShared<H, N>), H, N>(sweep, stream,
                                                                            "backward sweep");
  });
}

}  // namespace gradus::cuda
