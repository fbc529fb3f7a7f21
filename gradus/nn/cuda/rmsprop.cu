#include "gradus/nn/cuda/check.h"
#include "gradus/nn/cuda/rmsprop.h"

namespace gradus::cuda {
namespace {

constexpr int kThreads = 256;

struct Constants {
  float decay, fresh, momentum, rate, epsilon, centred, spread;
  double clip;
};

__global__ void update_kernel(Constants k, std::size_t count, const float* gradient,
                              const double* squared_length, const int* overflow,
                              RmsPropState state) {
  if (*overflow != 0) return;
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= count) return;
  float scale = 1;
  if (k.clip > 0) {
    const double length = sqrt(*squared_length);
    if (length > k.clip) scale = static_cast<float>(k.clip / length);
  }
  const float g = scale * gradient[i];
  const float offset = g - k.centred * state.means[i];
  const float v = k.decay * state.variances[i] + k.spread * offset * offset;
  const float d = k.momentum * state.steps[i] - k.rate * g / sqrtf(v + k.epsilon);
  state.variances[i] = v;
  state.means[i] = k.decay * state.means[i] + k.fresh * g;
  state.steps[i] = d;
  state.parameters[i] += d;
}

}  // namespace

void rmsprop_update(const RmsPropSettings& settings, std::size_t count, const float* gradient,
                    const double* squared_length, const int* overflow, const RmsPropState& state,
                    cudaStream_t stream) {
  const auto decay = static_cast<float>(settings.decay);
  const auto fresh = static_cast<float>(1 - settings.decay);
  const Constants constants{decay,
                            fresh,
                            static_cast<float>(settings.momentum),
                            static_cast<float>(settings.learning_rate),
                            static_cast<float>(settings.epsilon),
                            settings.centred ? 1.0f : 0.0f,
                            settings.centred ? decay * fresh : fresh,
                            settings.clip};
  update_kernel<<<static_cast<unsigned>((count + kThreads - 1) / kThreads), kThreads, 0, stream>>>(
      constants, count, gradient, squared_length, overflow, state);
  check_launch("optimiser");
}

}  // namespace gradus::cuda
