// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cuda/cell.cuh"
#include "gradus/nn/cuda/kernels.h"

namespace gradus::cuda {
namespace {

constexpr int kThreads = 256;

template <typename Operand>
__global__ void forward_kernel(ForwardStep<Operand> step) {
  const int h = step.cells;
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int b = index / h;
  const int j = index % h;
  if (b >= step.active) return;
  const std::size_t row = step.start + b;
  float* gates = step.gates + row * 4 * h + j;
  Gates z{gates[0] + step.bias[j], gates[h] + step.bias[h + j], gates[2 * h] + step.bias[2 * h + j],
          gates[3 * h] + step.bias[3 * h + j]};
  const bool first = step.before < 0;
  const float c_before =
      first ? 0.0f : step.cell_states[static_cast<std::size_t>(step.before + b) * h + j];
  const CellState state = step_forward<ExactActivations>(z, c_before);
  gates[0] = z.i;
  gates[h] = z.f;
  gates[2 * h] = z.g;
  gates[3 * h] = z.o;
  step.cell_states[row * h + j] = state.c;
  const Operand out = static_cast<Operand>(state.h);
  step.hidden.data[row * step.hidden.leading + j] = out;
  if (first) step.previous.data[row * step.previous.leading + j] = static_cast<Operand>(0.0f);
  if (b < step.still_active) {
    const std::size_t next = step.next + b;
    step.previous.data[next * step.previous.leading + j] = out;
  }
}

template <typename Operand>
__global__ void backward_kernel(BackwardStep<Operand> step) {
  const int h = step.cells;
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int b = index / h;
  const int j = index % h;
  if (b >= step.active) return;
  const std::size_t row = step.start + b;
  const float* gates = step.gates + row * 4 * h + j;
  const Gates a{gates[0], gates[h], gates[2 * h], gates[3 * h]};
  const float c_before =
      step.before < 0 ? 0.0f : step.cell_states[static_cast<std::size_t>(step.before + b) * h + j];
  float dc = b < step.later_active ? step.cell_gradient[index] : 0.0f;
  Gates d = step_backward<ExactActivations>(a, step.cell_states[row * h + j], c_before,
                                            step.hidden_gradient[row * h + j], dc);
  step.cell_gradient[index] = dc;
  if (!limit_derivatives<Operand>(step.limit.largest, d)) *step.limit.overflow = 1;
  Operand* out = step.gate_gradient + row * 4 * h + j;
  out[0] = static_cast<Operand>(d.i);
  out[h] = static_cast<Operand>(d.f);
  out[2 * h] = static_cast<Operand>(d.g);
  out[3 * h] = static_cast<Operand>(d.o);
}

}  // namespace

template <typename Operand>
void forward_step(const ForwardStep<Operand>& step, cudaStream_t stream) {
  const int blocks = (step.active * step.cells + kThreads - 1) / kThreads;
  forward_kernel<<<blocks, kThreads, 0, stream>>>(step);
  check_launch("forward step");
}

template <typename Operand>
void backward_step(const BackwardStep<Operand>& step, cudaStream_t stream) {
  const int blocks = (step.active * step.cells + kThreads - 1) / kThreads;
  backward_kernel<<<blocks, kThreads, 0, stream>>>(step);
  check_launch("backward step");
}

template void forward_step(const ForwardStep<__half>&, cudaStream_t);
template void forward_step(const ForwardStep<float>&, cudaStream_t);
template void backward_step(const BackwardStep<__half>&, cudaStream_t);
template void backward_step(const BackwardStep<float>&, cudaStream_t);

}  // namespace gradus::cuda
