#pragma once

#include <cstdint>
#include <memory>

#include <cuda_runtime.h>

#include "gradus/core/gain.h"
#include "gradus/nn/layout.h"
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

/// The CPU's Objective on the GPU: how P weights come from the Q numbers that the optimiser moves,
/// phi, and what training adds to the gradient of the data loss. All arrays are in the GPU's memory
/// and all work is queued on the stream.
class Objective {
 public:
  virtual ~Objective() = default;
  virtual void begin_update(std::uint64_t update) = 0;
  virtual const float* sample(const float* phi) = 0;
  virtual const float* evaluated(const float* phi) = 0;
  virtual void finish_gradient(const float* phi, float* gradient, const Needs& needs,
                               Measured* measured) = 0;
  virtual void weight_norm(const float* phi, double* to) = 0;
  virtual void kl(const float* phi, double* to) = 0;
};

/// REQUIRES settings that the CPU's make_objective() takes. Layout must outlive the objective.
std::unique_ptr<Objective> make_objective(const ObjectiveSettings& settings,
                                          const ParameterLayout& layout, std::uint64_t seed,
                                          cudaStream_t stream);
std::unique_ptr<Objective> make_point_objective(double decay, std::size_t weights,
                                                cudaStream_t stream);
std::unique_ptr<Objective> make_variational_objective(const ObjectiveSettings& settings,
                                                      const ParameterLayout& layout,
                                                      std::uint64_t seed, cudaStream_t stream);

}  // namespace gradus::cuda
