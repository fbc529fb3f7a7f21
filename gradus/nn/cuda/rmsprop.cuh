// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "gradus/nn/cuda/numbers.cuh"
#include "gradus/nn/cuda/rmsprop.h"

namespace gradus::cuda {

/// The optimiser in the form that kernels use.
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

  /// Factor that clipping applies to a gradient of this squared norm.
  __device__ float scale(double squared_length) const {
    if (clip <= 0) return 1;
    const double length = sqrt(squared_length);
    return length > clip ? static_cast<float>(clip / length) : 1.0f;
  }

  /// Consecutive parameters and their optimiser state.
  template <int kCount>
  struct Parameters {
    Numbers<kCount> values, variances, means, steps;
  };
  template <int kCount>
  __device__ Parameters<kCount> load(std::size_t i) const {
    using Stretch = Numbers<kCount>;
    return {Stretch::load(state.parameters + i), Stretch::load(state.variances + i),
            Stretch::load(state.means + i), Stretch::load(state.steps + i)};
  }
  template <int kCount>
  __device__ void store(std::size_t i, const Parameters<kCount>& p) const {
    p.values.store(state.parameters + i);
    p.variances.store(state.variances + i);
    p.means.store(state.means + i);
    p.steps.store(state.steps + i);
  }

  /// Moves parameter n of `p` by gradient g.
  template <int kCount>
  __device__ void move(Parameters<kCount>& p, int n, float g) const {
    const float offset = g - centred * p.means[n];
    p.variances[n] = decay * p.variances[n] + spread * offset * offset;
    p.steps[n] = momentum * p.steps[n] - rate * g * rsqrtf(p.variances[n] + epsilon);
    p.means[n] = decay * p.means[n] + fresh * g;
    p.values[n] += p.steps[n];
  }

  float decay, fresh, momentum, rate, epsilon, centred, spread;
  double clip;
  RmsPropState state;
};

}  // namespace gradus::cuda
