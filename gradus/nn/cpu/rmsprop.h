// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <type_traits>

#include "gradus/nn/cpu/fast/passes.h"
#include "gradus/nn/cpu/large_pages.h"
#include "gradus/nn/rmsprop.h"

namespace gradus {

/// The optimiser's state for a flat array of parameters, and its update. Parameters are independent
/// of each other, so any split into ranges gives the same result.
///
/// If gradients are centred, the state holds v = n - m^2 instead of n, with the recurrence that
/// follows from those of n and m:
///
///   v = decay v + decay (1 - decay) (g - m)^2
///
/// Computing n - m^2 in float is off by more than epsilon once g exceeds about 20 and is nearly
/// constant. The result can even be negative enough to make the step NaN; v cannot.
template <typename Real>
class RmsProp {
 public:
  RmsProp(const RmsPropSettings& settings, std::size_t parameters)
      : settings_(settings), variances_(parameters), means_(parameters), steps_(parameters) {}

  /// For parameters in [first, last): adds weight_decay * parameters to the gradient, then updates
  /// the parameters with scale times that gradient.
  void update(std::size_t first, std::size_t last, Real scale, Real weight_decay,
              std::span<Real> gradient, std::span<Real> parameters) {
    if constexpr (std::is_same_v<Real, float>) {
      update_fast(first, last, scale, weight_decay, gradient, parameters);
      return;
    }
    const Real decay = static_cast<Real>(settings_.decay);
    const Real fresh = static_cast<Real>(1 - settings_.decay);
    const Real momentum = static_cast<Real>(settings_.momentum);
    const Real rate = static_cast<Real>(settings_.learning_rate);
    const Real epsilon = static_cast<Real>(settings_.epsilon);
    const Real centred = settings_.centred ? 1 : 0;
    const Real spread = settings_.centred ? decay * fresh : fresh;
    Real* __restrict v = variances_.data();
    Real* __restrict m = means_.data();
    Real* __restrict d = steps_.data();
    Real* __restrict p = parameters.data();
    Real* __restrict whole = gradient.data();
    for (std::size_t i = first; i < last; ++i) {
      whole[i] += weight_decay * p[i];
      const Real g = scale * whole[i];
      const Real offset = g - centred * m[i];
      v[i] = decay * v[i] + spread * offset * offset;
      m[i] = decay * m[i] + fresh * g;
      d[i] = momentum * d[i] - rate * g / std::sqrt(v[i] + epsilon);
      p[i] += d[i];
    }
  }

  /// True if gradients are clipped, and the factor that clipping applies to one of norm `length`.
  bool clips() const { return settings_.clip > 0; }
  Real scale_of(double length) const {
    return clips() && length > settings_.clip ? static_cast<Real>(settings_.clip / length) : 1;
  }

  /// v (n if not centred), m and d, for saving and for tests.
  Array<Real>& variances() { return variances_; }
  Array<Real>& means() { return means_; }
  Array<Real>& steps() { return steps_; }
  const Array<Real>& variances() const { return variances_; }
  const Array<Real>& means() const { return means_; }
  const Array<Real>& steps() const { return steps_; }

 private:
  void update_fast(std::size_t first, std::size_t last, Real scale, Real weight_decay,
                   std::span<Real> gradient, std::span<Real> parameters) {
    const double fresh = 1 - settings_.decay;
    const double spread = settings_.centred ? settings_.decay * fresh : fresh;
    const fast::RmsPropStep step{.scale = static_cast<float>(scale),
                                 .weight_decay = static_cast<float>(weight_decay),
                                 .decay = static_cast<float>(settings_.decay),
                                 .fresh = static_cast<float>(fresh),
                                 .momentum = static_cast<float>(settings_.momentum),
                                 .rate = static_cast<float>(settings_.learning_rate),
                                 .epsilon = static_cast<float>(settings_.epsilon),
                                 .centred = settings_.centred ? 1.0f : 0.0f,
                                 .spread = static_cast<float>(spread)};
    fast::rmsprop(step, last - first, gradient.data() + first, variances_.data() + first,
                  means_.data() + first, steps_.data() + first, parameters.data() + first);
  }

  RmsPropSettings settings_;
  Array<Real> variances_;
  Array<Real> means_;
  Array<Real> steps_;
};

}  // namespace gradus
