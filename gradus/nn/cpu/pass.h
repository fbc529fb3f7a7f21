#pragma once

#include <memory>
#include <span>

#include "gradus/core/batch.h"
#include "gradus/core/learner.h"
#include "gradus/nn/cpu/thread_team.h"
#include "gradus/nn/layout.h"

namespace gradus {

/// Forward and backward pass of a network over whole batches, on the threads of a team. Results are
/// the same bits whatever the number of threads. Memory is kept between calls.
template <typename Real>
class NetworkPass {
 public:
  virtual ~NetworkPass() = default;

  /// The weights (P) of the calls that follow. They must stay as they are until the next load().
  virtual void load(std::span<const Real> weights) = 0;

  /// Losses and errors of `batch`.
  virtual Evaluation evaluate(const Batch& batch) = 0;

  /// The same, and the gradient of the total loss over B, the batch's mean loss, in `gradient` (P).
  virtual Evaluation differentiate(const Batch& batch, std::span<Real> gradient) = 0;
};

/// The pass of a precision: in double the readable reference, in float the fast one. Derivatives by
/// gate inputs are limited as in LstmPass. Layout and team must outlive it.
template <typename Real>
std::unique_ptr<NetworkPass<Real>> make_pass(const ParameterLayout& layout, ThreadTeam& team,
                                             double largest_derivative);

}  // namespace gradus
