#pragma once

#include <cstddef>

#include "gradus/nn/cuda/rmsprop.h"

namespace gradus::cuda {

/// The optimiser as kernels have it.
struct RmsProp {
  RmsProp(const RmsPropSettings& settings, const RmsPropState& its_state)
      : decay(static_cast<float>(settings.decay)),
        fresh(static_cast<float>(1 - settings.decay)),
        momentum(static_cast<float>(settings.momentum)),
        rate(static_cast<float>(settings.learning_rate)),
        epsilon(static_cast<float>(settings.epsilon)),
        centred(settings.centred ? 1.0f : 0.0f),
        spread(settings.centred ? decay * fresh : fresh),
        clip(settings.clip),
        state(its_state) {}

  /// What clipping multiplies a gradient of this squared length with.
  __device__ float scale(double squared_length) const {
    if (clip <= 0) return 1;
    const double length = sqrt(squared_length);
    return length > clip ? static_cast<float>(clip / length) : 1.0f;
  }

  /// Moves parameter i, which is `value`, by gradient g; returns what it is then.
  __device__ float update(std::size_t i, float value, float g) const {
    const float mean = state.means[i];
    const float offset = g - centred * mean;
    const float v = decay * state.variances[i] + spread * offset * offset;
    const float d = momentum * state.steps[i] - rate * g / sqrtf(v + epsilon);
    const float moved = value + d;
    state.variances[i] = v;
    state.means[i] = decay * mean + fresh * g;
    state.steps[i] = d;
    state.parameters[i] = moved;
    return moved;
  }

  float decay, fresh, momentum, rate, epsilon, centred, spread;
  double clip;
  RmsPropState state;
};

}  // namespace gradus::cuda
