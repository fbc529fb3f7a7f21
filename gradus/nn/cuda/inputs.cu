// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cuda/kernels.h"
#include "gradus/nn/cuda/operands.cuh"

namespace gradus::cuda {
namespace {

constexpr int kThreads = 256;

__device__ float input_value(const InputSpec& spec, const RowData& data, int row, int channel) {
  if (channel < spec.tokens) return data.tokens[row] == channel ? 1.0f : 0.0f;
  channel -= spec.tokens;
  if (channel < spec.bits) return data.bits[row] >> channel & 1u ? 1.0f : 0.0f;
  channel -= spec.bits;
  return data.reals[static_cast<std::size_t>(row) * spec.reals + channel];
}

template <typename Operand>
__global__ void expand_kernel(InputSpec spec, int width, RowData data, int rows, Matrix<Operand> to,
                              int* overflow) {
  const std::size_t index = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const int row = static_cast<int>(index / width);
  const int channel = static_cast<int>(index % width);
  if (row >= rows) return;
  const float value = input_value(spec, data, row, channel);
  if (!(fabsf(value) <= largest_operand<Operand>())) *overflow = 1;
  to.data[static_cast<std::size_t>(row) * to.leading + channel] = static_cast<Operand>(value);
}

__device__ void add(float4& to, float factor, const float4& from) {
  to.x += factor * from.x;
  to.y += factor * from.y;
  to.z += factor * from.z;
  to.w += factor * from.w;
}

// One block per row. `quads` is the width in float4.
__global__ void look_up_kernel(InputSpec spec, RowData data, int quads, const float4* weights,
                               float4* gates) {
  const int row = static_cast<int>(blockIdx.x);
  const int token = spec.tokens > 0 ? data.tokens[row] : kNoToken;
  const std::uint32_t all_bits = spec.bits > 0 ? data.bits[row] : 0;
  for (int j = static_cast<int>(threadIdx.x); j < quads; j += kThreads) {
    float4 sum = {0, 0, 0, 0};
    const float4* column = weights + j;
    if (token != kNoToken) sum = column[static_cast<std::size_t>(token) * quads];
    for (std::uint32_t bits = all_bits; bits != 0; bits &= bits - 1) {
      const int channel = spec.tokens + __ffs(static_cast<int>(bits)) - 1;
      add(sum, 1, column[static_cast<std::size_t>(channel) * quads]);
    }
    for (int r = 0; r < spec.reals; ++r) {
      const float value = data.reals[static_cast<std::size_t>(row) * spec.reals + r];
      if (value != 0) {
        add(sum, value, column[static_cast<std::size_t>(spec.tokens + spec.bits + r) * quads]);
      }
    }
    gates[static_cast<std::size_t>(row) * quads + j] = sum;
  }
}

template <typename Operand>
__global__ void fill_kernel(int rows, int column, float value, Matrix<Operand> to) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row < rows)
    to.data[static_cast<std::size_t>(row) * to.leading + column] = static_cast<Operand>(value);
}

unsigned blocks_for(std::size_t elements) {
  return static_cast<unsigned>((elements + kThreads - 1) / kThreads);
}

}  // namespace

template <typename Operand>
void expand_inputs(const InputSpec& spec, const RowData& data, int rows, Matrix<Operand> to,
                   int* overflow, cudaStream_t stream) {
  const std::size_t size = static_cast<std::size_t>(rows) * spec.width();
  expand_kernel<<<blocks_for(size), kThreads, 0, stream>>>(spec, spec.width(), data, rows, to,
                                                           overflow);
  check_launch("expanding inputs");
}

void look_up_inputs(const InputSpec& spec, const RowData& data, int rows, int width,
                    const float* weights, float* gates, cudaStream_t stream) {
  look_up_kernel<<<rows, kThreads, 0, stream>>>(spec, data, width / 4,
                                                reinterpret_cast<const float4*>(weights),
                                                reinterpret_cast<float4*>(gates));
  check_launch("looking up inputs");
}

template <typename Operand>
void fill_column(int rows, int column, float value, Matrix<Operand> to, cudaStream_t stream) {
  fill_kernel<<<blocks_for(rows), kThreads, 0, stream>>>(rows, column, value, to);
  check_launch("filling a column");
}

template void expand_inputs(const InputSpec&, const RowData&, int, Matrix<__half>, int*,
                            cudaStream_t);
template void expand_inputs(const InputSpec&, const RowData&, int, Matrix<float>, int*,
                            cudaStream_t);
template void fill_column(int, int, float, Matrix<__half>, cudaStream_t);
template void fill_column(int, int, float, Matrix<float>, cudaStream_t);

}  // namespace gradus::cuda
