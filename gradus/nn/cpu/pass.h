// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "gradus/core/batch.h"
#include "gradus/core/learner.h"
#include "gradus/nn/cpu/thread_team.h"
#include "gradus/nn/layout.h"

namespace gradus {

/// Forward and backward pass of a network over whole batches, on the threads of a team. Results are
/// bit-identical for any number of threads. Memory is kept between calls.
template <typename Real>
class NetworkPass {
 public:
  virtual ~NetworkPass() = default;

  /// Sets the weights (P) for the following calls. They must not change until the next load().
  virtual void load(std::span<const Real> weights) = 0;

  /// Losses and errors of `batch`.
  virtual Evaluation evaluate(const Batch& batch) = 0;

  /// Like evaluate(), and writes the gradient of the batch's mean loss, which is the total loss
  /// over B, to `gradient` (P).
  virtual Evaluation differentiate(const Batch& batch, std::span<Real> gradient) = 0;
};

/// Makes the pass for a number type: the readable reference in double, the fast pass in float.
/// Derivatives with respect to gate inputs are limited as in LstmPass. Layout and team must outlive
/// it.
template <typename Real>
std::unique_ptr<NetworkPass<Real>> make_pass(const ParameterLayout& layout, ThreadTeam& team,
                                             double largest_derivative);

}  // namespace gradus
