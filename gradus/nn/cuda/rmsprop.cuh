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

  /// A parameter and what the optimiser keeps of it.
  struct Parameter {
    float value, variance, mean, step;
  };
  __device__ Parameter load(std::size_t i) const {
    return {state.parameters[i], state.variances[i], state.means[i], state.steps[i]};
  }

  /// Moves parameter i, loaded, by gradient g; returns its new value.
  __device__ float update(std::size_t i, const Parameter& p, float g) const {
    const float offset = g - centred * p.mean;
    const float v = decay * p.variance + spread * offset * offset;
    const float d = momentum * p.step - rate * g * rsqrtf(v + epsilon);
    const float moved = p.value + d;
    state.variances[i] = v;
    state.means[i] = decay * p.mean + fresh * g;
    state.steps[i] = d;
    state.parameters[i] = moved;
    return moved;
  }

  float decay, fresh, momentum, rate, epsilon, centred, spread;
  double clip;
  RmsPropState state;
};

}  // namespace gradus::cuda
