#include "gradus/nn/cuda/kernels.h"

namespace gradus::cuda {
namespace {

constexpr int kWarps = 8;
constexpr unsigned kAll = 0xffffffffu;

__device__ double warp_sum(double value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(kAll, value, offset);
  return value;
}

// The largest logit and its column, the first of equal ones.
__device__ void warp_max(float& value, int& column) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(kAll, value, offset);
    const int at = __shfl_xor_sync(kAll, column, offset);
    if (other > value || (other == value && at < column)) {
      value = other;
      column = at;
    }
  }
}

struct RowScore {
  double loss;
  bool wrong;
};

template <typename Operand>
__device__ RowScore score_softmax(int width, std::uint32_t target, const float* logits,
                                  const float* bias, float scale, Operand* gradient) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  float top = -INFINITY;
  int best = width;
  for (int j = lane; j < width; j += 32) {
    const float z = logits[j] + bias[j];
    if (z > top || best == width) {
      top = z;
      best = j;
    }
  }
  warp_max(top, best);
  double sum = 0;
  for (int j = lane; j < width; j += 32) {
    sum += exp(static_cast<double>(logits[j] + bias[j]) - top);
  }
  sum = warp_sum(sum);
  const double of_target = logits[target] + bias[target];
  for (int j = lane; gradient && j < width; j += 32) {
    const double p = exp(static_cast<double>(logits[j] + bias[j]) - top) / sum;
    const double y = j == static_cast<int>(target) ? 1 : 0;
    gradient[j] = static_cast<Operand>(static_cast<float>((p - y) * scale));
  }
  return {log(sum) + top - of_target, best != static_cast<int>(target)};
}

template <typename Operand>
__device__ RowScore score_sigmoid(int width, std::uint32_t target, const float* logits,
                                  const float* bias, float scale, Operand* gradient) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  double loss = 0;
  bool wrong = false;
  if (lane < width) {
    const double z = logits[lane] + bias[lane];
    const bool y = (target >> lane & 1u) != 0;
    const double e = exp(-fabs(z));
    loss = log1p(e) + (y ? fmax(-z, 0.0) : fmax(z, 0.0));
    wrong = (z > 0) != y;
    const double p = (z >= 0 ? 1.0 : e) / (1 + e);
    if (gradient) {
      gradient[lane] = static_cast<Operand>(static_cast<float>((p - (y ? 1.0 : 0.0)) * scale));
    }
  }
  return {warp_sum(loss), __any_sync(kAll, wrong) != 0};
}

// One warp a row.
template <typename Operand>
__global__ void score_kernel(OutputSpec spec, RowData data, int rows, Matrix<const float> logits,
                             const float* bias, float scale, double* losses, unsigned char* wrong,
                             Matrix<Operand> gradient) {
  const int row = static_cast<int>(blockIdx.x * kWarps + threadIdx.x / 32);
  const int lane = static_cast<int>(threadIdx.x % 32);
  if (row >= rows) return;
  Operand* out =
      gradient.data ? gradient.data + static_cast<std::size_t>(row) * gradient.leading : nullptr;
  const bool scored = data.scored[row] != 0;
  for (int j = (scored ? spec.width : 0) + lane; out && j < gradient.leading; j += 32) {
    out[j] = static_cast<Operand>(0.0f);
  }
  RowScore score{0, false};
  if (scored) {
    const float* from = logits.data + static_cast<std::size_t>(row) * logits.leading;
    score = spec.kind == OutputKind::kSoftmax
                ? score_softmax(spec.width, data.targets[row], from, bias, scale, out)
                : score_sigmoid(spec.width, data.targets[row], from, bias, scale, out);
  }
  if (lane != 0) return;
  losses[row] = score.loss;
  wrong[row] = score.wrong;
}

}  // namespace

template <typename Operand>
void score_outputs(const OutputSpec& spec, const RowData& data, int rows,
                   Matrix<const float> logits, const float* bias, float scale, double* losses,
                   unsigned char* wrong, Matrix<Operand> gradient, cudaStream_t stream) {
  score_kernel<<<(rows + kWarps - 1) / kWarps, kWarps * 32, 0, stream>>>(
      spec, data, rows, logits, bias, scale, losses, wrong, gradient);
  check_launch("scoring outputs");
}

template void score_outputs(const OutputSpec&, const RowData&, int, Matrix<const float>,
                            const float*, float, double*, unsigned char*, Matrix<__half>,
                            cudaStream_t);
template void score_outputs(const OutputSpec&, const RowData&, int, Matrix<const float>,
                            const float*, float, double*, unsigned char*, Matrix<float>,
                            cudaStream_t);

}  // namespace gradus::cuda
