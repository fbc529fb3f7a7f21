// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "gradus/core/gain.h"
#include "gradus/nn/cpu/rmsprop.h"
#include "gradus/nn/cpu/thread_team.h"
#include "gradus/nn/layout.h"
#include "gradus/nn/objective.h"

namespace gradus {

/// Defines how a network's P weights derive from phi, the Q numbers that the optimiser moves, and
/// what training adds to the gradient of the data loss. gradus/nn/objective.h divides and
/// initialises phi. Not thread-safe.
template <typename Real>
class Objective {
 public:
  virtual ~Objective() = default;

  /// Draws the noise of update number `update`, if there is any, and returns the weights (P) to
  /// train with. The span is valid until phi changes or until the next call.
  virtual std::span<const Real> begin_update(std::uint64_t update, std::span<const Real> phi) = 0;
  /// Returns the weights (P) to evaluate.
  virtual std::span<const Real> evaluated(std::span<const Real> phi) = 0;

  /// On entry the first P of `gradient` (Q) hold the gradient of the data loss with respect to the
  /// weights. On return, all of `gradient` is the gradient of the objective with respect to phi,
  /// and the optimiser has moved phi by it. One call does both, so that implementations can fuse
  /// the passes over memory. Also measures what `needs` requests of the gradient. If
  /// `sample_again`, returns the weights (P) of the moved phi under the same noise, for measuring
  /// loss differences.
  virtual std::span<const Real> update(std::span<Real> phi, std::span<Real> gradient,
                                       RmsProp<Real>& optimiser, bool sample_again,
                                       const Needs& needs, Measurements& measured) = 0;

  /// The dot product of two gradients of data losses with respect to phi, given those with respect
  /// to the weights (P), under the noise of the current update. phi must not have moved since.
  virtual double gradient_product(std::span<const Real> phi, std::span<const Real> a,
                                  std::span<const Real> b) = 0;

  /// |theta|^2 and KL(posterior | prior). Each throws std::logic_error if the objective does not
  /// define it.
  virtual double weight_norm(std::span<const Real> phi) = 0;
  virtual double kl(std::span<const Real> phi) = 0;
};

/// Makes the objective of `settings`. Layout and team must outlive it. Throws InputError if a
/// setting is out of range.
template <typename Real>
std::unique_ptr<Objective<Real>> make_objective(const ObjectiveSettings& settings,
                                                const ParameterLayout& layout, ThreadTeam& team,
                                                std::uint64_t seed);

template <typename Real>
std::unique_ptr<Objective<Real>> make_point_objective(double decay, ThreadTeam& team);
template <typename Real>
std::unique_ptr<Objective<Real>> make_variational_objective(const ObjectiveSettings& settings,
                                                            const ParameterLayout& layout,
                                                            ThreadTeam& team, std::uint64_t seed);

}  // namespace gradus
