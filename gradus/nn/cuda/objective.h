// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include <cuda_runtime.h>

#include "gradus/core/gain.h"
#include "gradus/nn/cuda/rmsprop.h"
#include "gradus/nn/cuda/weights.h"
#include "gradus/nn/objective.h"

namespace gradus::cuda {

/// What a training step measures, in GPU memory. Copied to the host once, at the end of the step.
struct Measured {
  double loss_before, loss_after, probe_before, probe_after, probe_dot_gradient;
  double gradient_norm, weights_dot_gradient;
  double weight_norm_before, weight_norm_after;
  double kl_before, kl_after, kl_dot_gradient;
  double squared_length;  ///< squared norm of the objective's gradient
  int overflow;
};

/// What an objective trains, and its inputs. All arrays are in GPU memory.
struct Training {
  RmsPropSettings optimiser;
  RmsPropState state;     ///< parameters is phi, the Q numbers that the optimiser moves
  const float* gradient;  ///< (P) gradient of the data loss with respect to the weights
  Measured* measured;
  cudaStream_t stream;
};

/// The CPU's Objective on the GPU, with its optimiser: how the P weights derive from phi, and how
/// phi is updated. All work is queued on the stream.
class Objective {
 public:
  virtual ~Objective() = default;

  /// Sets the weights to train with in update number `update`.
  virtual void begin_update(std::uint64_t update) = 0;
  /// The noise of the current update and the rho of each weight, or null if there is no noise.
  struct Noise {
    const float* noise = nullptr;
    const float* rho = nullptr;
  };
  virtual Noise noise() const { return {}; }
  /// Moves phi by the gradient. If `again`, also sets the weights to those of the moved phi, with
  /// the same noise. Takes one pass over memory, or two if gradients are clipped. Changes neither
  /// phi nor the weights if measured->overflow is not 0. Measures squared_length and what `needs`
  /// requests of the weights and the gradient.
  virtual void update(const Needs& needs, bool again) = 0;

  /// Sets the weights to evaluate and returns them (P).
  virtual const float* use_evaluated() = 0;
  /// Measures kl_before; the other fields that update() measures become undefined. REQUIRES an
  /// objective with a prior.
  virtual void measure_kl() = 0;
};

/// REQUIRES settings that check_objective() accepts. `weights` must outlive the objective.
/// Arrays are indexed like `weights`, with padding; `layout` is the one without padding.
template <typename Operand>
std::unique_ptr<Objective> make_point_objective(double decay, const Training& training,
                                                Weights<Operand>& weights);
template <typename Operand>
std::unique_ptr<Objective> make_variational_objective(const ObjectiveSettings& settings,
                                                      const ParameterLayout& layout,
                                                      std::uint64_t seed, const Training& training,
                                                      Weights<Operand>& weights);

}  // namespace gradus::cuda
