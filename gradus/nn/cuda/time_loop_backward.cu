// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cuda/backward_thread.cuh"
#include "gradus/nn/cuda/time_loop_launch.cuh"

namespace gradus::cuda {
namespace {

// backward_thread.cuh explains the algorithm and each step.
template <int H, int N>
__global__ void __launch_bounds__(kTimeLoopThreads, 1) backward_kernel(BackwardTimeLoop loop) {
  extern __shared__ __align__(128) unsigned char memory[];
  const TimeLoopThread<H, N> self;
  const int steps = min(loop.rows.lengths[self.group], loop.end);
  if (steps <= loop.first) return;

  const BackwardThread<H, N> thread(loop, self, *reinterpret_cast<BackwardShared<H, N>*>(memory));
  BackwardWeights<H> weights;
  thread.load_weights(weights);
  thread.init_barriers();
  cluster_sync();
  BackwardRows rows(loop.rows, steps - 1);
  BackwardCells<N / 8> cells;
  thread.load_first_step(steps - 1, rows, cells);
  bool too_large = false;
  for (int t = steps - 1; t >= loop.first; --t) {
    const int turn = steps - 1 - t;
    float dh[N / 8];
#pragma unroll
    for (int i = 0; i < N / 8; ++i) dh[i] = cells.from_above[i];
    if (turn > 0) thread.add_parts(turn - 1, dh);
    if (!thread.step_cells(turn, rows, dh, cells)) too_large = true;
    if (t == 0) {
      thread.store(rows, cells);
      break;
    }
    thread.multiply_and_send(turn, weights);
    // Store last what no other block waits for.
    thread.store(rows, cells);
    if (t == loop.first) {
      thread.store_carried(turn, rows, cells);
      break;
    }
    const int later_active = rows.active;
    rows.advance(loop.rows, t);
    thread.load_next_step(t - 1, rows, later_active, cells);
  }
  if (too_large) *loop.limit.overflow = 1;
  cluster_sync();
}

}  // namespace

int backward_clusters(int cells) {
  return fewest_clusters(cells, [](auto h, auto n) {
    constexpr int H = h.value, N = n.value;
    return active_clusters<backward_kernel<H, N>, sizeof(BackwardShared<H, N>), H>(
        "querying the backward time loop");
  });
}

void backward_time_loop(int cells, int group, const BackwardTimeLoop& loop, cudaStream_t stream) {
  with_sizes(cells, group, [&](auto h, auto n) {
    constexpr int H = h.value, N = n.value;
    launch_time_loop<backward_kernel<H, N>, sizeof(BackwardShared<H, N>), H, N>(
        loop, stream, "backward time loop");
  });
}

}  // namespace gradus::cuda
