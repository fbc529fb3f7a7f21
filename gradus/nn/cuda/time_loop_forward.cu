// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cuda/forward_thread.cuh"
#include "gradus/nn/cuda/time_loop_launch.cuh"

namespace gradus::cuda {
namespace {

// forward_thread.cuh explains the algorithm and each step.
template <int H, int N, bool kFewInputs>
__global__ void __launch_bounds__(kTimeLoopThreads, 1) forward_kernel(ForwardTimeLoop loop) {
  extern __shared__ __align__(128) unsigned char memory[];
  auto& shared = *reinterpret_cast<ForwardShared<H, N, kFewInputs>*>(memory);
  const TimeLoopThread<H, N> self;
  const int steps = min(loop.rows.lengths[self.group], loop.end);
  if (steps <= loop.first) return;

  const ForwardThread<H, N, kFewInputs> thread(loop, self, shared);
  ForwardWeights<H> weights;
  thread.load_weights(weights);
  thread.init_barriers();
  ForwardRows rows(loop.rows, loop.first);
  ForwardCells<N / 8> cells;
  if (loop.first > 0) thread.load_state(rows, cells);
  InputTile<H, N> tile(loop, self, shared.inputs);
  thread.load_first_inputs(rows, tile, weights, cells);
  fence_for_products();
  cluster_sync();
  for (int t = loop.first; t < steps; ++t) {
    const int turn = t - loop.first;
    if (thread.has_product(t)) thread.multiply(t, turn, weights);
    thread.step_cells(t, turn, weights, cells);
    const bool last = t + 1 == steps;
    if (!last) {
      if (kFewInputs) tile.put();
      thread.send(turn);
      if (!kFewInputs) thread.load_inputs(rows.next, rows.still_active(), cells);
    }
    // Store last what no other block waits for.
    thread.store(t, steps, rows, cells);
    if (last) break;
    rows.advance();
    if (kFewInputs) tile.load(t + 2, rows.next);
    rows.load_after(loop.rows, t + 1);
  }
  // Keep this block's shared memory alive until all blocks have sent their pieces.
  cluster_sync();
}

}  // namespace

int forward_clusters(int cells) {
  return fewest_clusters(cells, [](auto h, auto n) {
    constexpr int H = h.value, N = n.value;
    const auto active = [](auto few) {
      constexpr bool kFew = few.value;
      return active_clusters<forward_kernel<H, N, kFew>, sizeof(ForwardShared<H, N, kFew>), H>(
          "querying the forward time loop");
    };
    return std::min(active(std::true_type()), active(std::false_type()));
  });
}

void forward_time_loop(int cells, int group, const ForwardTimeLoop& loop, cudaStream_t stream) {
  with_sizes(cells, group, [&](auto h, auto n) {
    constexpr int H = h.value, N = n.value;
    const auto launch = [&](auto few) {
      constexpr bool kFew = few.value;
      launch_time_loop<forward_kernel<H, N, kFew>, sizeof(ForwardShared<H, N, kFew>), H, N>(
          loop, stream, "forward time loop");
    };
    if (loop.inputs.weights != nullptr) {
      launch(std::true_type());
    } else {
      launch(std::false_type());
    }
  });
}

}  // namespace gradus::cuda
