#include "gradus/nn/cuda/backward_thread.cuh"
#include "gradus/nn/cuda/sweep_launch.cuh"

namespace gradus::cuda {
namespace {

// backward_thread.cuh explains the algorithm and each step.
template <int H, int N>
__global__ void __launch_bounds__(kSweepThreads, 1) backward_kernel(BackwardSweep sweep) {
  extern __shared__ __align__(128) unsigned char memory[];
  const SweepThread<H, N> self;
  const int steps = min(sweep.rows.lengths[self.group], sweep.end);
  if (steps <= sweep.first) return;

  const BackwardThread<H, N> thread(sweep, self, *reinterpret_cast<BackwardShared<H, N>*>(memory));
  BackwardWeights<H> weights;
  thread.load_weights(weights);
  thread.init_barriers();
  cluster_sync();
  BackwardRows rows(sweep.rows, steps - 1);
  BackwardCells<N / 8> cells;
  thread.load_first_step(steps - 1, rows, cells);
  bool too_large = false;
  for (int t = steps - 1; t >= sweep.first; --t) {
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
    if (t == sweep.first) {
      thread.store_carried(turn, rows, cells);
      break;
    }
    const int later_active = rows.active;
    rows.advance(sweep.rows, t);
    thread.load_next_step(t - 1, rows, later_active, cells);
  }
  if (too_large) *sweep.limit.overflow = 1;
  cluster_sync();
}

}  // namespace

int backward_clusters(int cells) {
  return fewest_clusters(cells, [](auto h, auto n) {
    constexpr int H = h.value, N = n.value;
    return active_clusters<backward_kernel<H, N>, sizeof(BackwardShared<H, N>), H>(
        "querying the backward sweep");
  });
}

void backward_sweep(int cells, int group, const BackwardSweep& sweep, cudaStream_t stream) {
  with_sizes(cells, group, [&](auto h, auto n) {
    constexpr int H = h.value, N = n.value;
    launch_sweep<backward_kernel<H, N>, sizeof(BackwardShared<H, N>), H, N>(sweep, stream,
                                                                            "backward sweep");
  });
}

}  // namespace gradus::cuda
