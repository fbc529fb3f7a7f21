#pragma once

#include <cstdint>
#include <memory>

#include <cuda_runtime.h>

#include "gradus/core/gain.h"
#include "gradus/nn/cuda/rmsprop.h"
#include "gradus/nn/cuda/weights.h"
#include "gradus/nn/objective.h"

namespace gradus::cuda {

/// Places in the GPU's memory for what a training step measures; read once, at its end.
struct Measured {
  double loss_before, loss_after, probe_before, probe_after;
  double gradient_norm, weights_dot_gradient;
  double weight_norm_before, weight_norm_after;
  double kl_before, kl_after, kl_dot_gradient;
  double squared_length;  ///< of the objective's gradient
  int overflow;
};

/// What an objective trains, and from what. All arrays are in the GPU's memory.
struct Training {
  RmsPropSettings optimiser;
  RmsPropState state;     ///< its parameters are phi, the Q numbers that the optimiser moves
  const float* gradient;  ///< (P) of the data loss, by the weights
  Measured* measured;
  cudaStream_t stream;
};

/// The CPU's Objective on the GPU, and its optimiser: how P weights come from phi, and how phi is
/// moved. All work is queued on the stream.
class Objective {
 public:
  virtual ~Objective() = default;

  /// Sets the weights to train with in update number `update`.
  virtual void begin_update(std::uint64_t update) = 0;
  /// Moves phi by the gradient and, where `again`, sets the weights after it, with the update's own
  /// draw: one pass over all of them. Nothing changes where measured->overflow is not 0. Measures
  /// squared_length and what `needs` asks of weights and gradient.
  virtual void update(const Needs& needs, bool again) = 0;

  /// Sets the weights to evaluate; returns them (P).
  virtual const float* use_evaluated() = 0;
  /// Measures kl_before, and leaves what else update() measures undefined. REQUIRES a prior.
  virtual void measure_kl() = 0;
};

/// REQUIRES settings that the CPU's make_objective() takes. Weights must outlive the objective.
template <typename Operand>
std::unique_ptr<Objective> make_point_objective(double decay, const Training& training,
                                                Weights<Operand>& weights);
template <typename Operand>
std::unique_ptr<Objective> make_variational_objective(const ObjectiveSettings& settings,
                                                      const ParameterLayout& layout,
                                                      std::uint64_t seed, const Training& training,
                                                      Weights<Operand>& weights);

}  // namespace gradus::cuda
