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

/// How a network's P weights come from the Q numbers that the optimiser moves, phi, and what
/// training adds to the gradient of the data loss. Not thread-safe.
template <typename Real>
class Objective {
 public:
  virtual ~Objective() = default;

  /// Q.
  virtual std::size_t trained() const = 0;
  /// The named parts of phi, in order; they fill it.
  virtual std::vector<Slice> parts() const = 0;
  /// phi (Q) at the start, from the starting weights (P).
  virtual void start(std::span<const double> weights, std::span<Real> phi) const = 0;

  /// Draws what is random in update number `update`, and returns the weights (P) to train with. The
  /// span is valid until phi changes or the next call.
  virtual std::span<const Real> begin_update(std::uint64_t update, std::span<const Real> phi) = 0;
  /// The weights (P) to evaluate.
  virtual std::span<const Real> evaluated(std::span<const Real> phi) = 0;

  /// On entry the first P of `gradient` (Q) hold the gradient of the data loss by the weights; on
  /// return all of it is the gradient of the objective by phi, and the optimiser has moved phi by
  /// it: one pass over memory. Measures on the way what `needs` asks of the gradient. Where
  /// `sample_again`, returns the weights (P) of the moved phi under the same draw, to take
  /// differences of losses at.
  virtual std::span<const Real> update(std::span<Real> phi, std::span<Real> gradient,
                                       RmsProp<Real>& optimiser, bool sample_again,
                                       const Needs& needs, Measurements& measured) = 0;

  /// |theta|^2 and KL(posterior | prior); REQUIRES an objective that has it.
  virtual double weight_norm(std::span<const Real> phi) = 0;
  virtual double kl(std::span<const Real> phi) = 0;
};

/// Makes the objective of `settings`. Layout and team must outlive it. Throws InputError where a
/// setting is out of range.
template <typename Real>
std::unique_ptr<Objective<Real>> make_objective(const ObjectiveSettings& settings,
                                                const ParameterLayout& layout, ThreadTeam& team,
                                                std::uint64_t seed);

template <typename Real>
std::unique_ptr<Objective<Real>> make_point_objective(double decay, const ParameterLayout& layout,
                                                      ThreadTeam& team);
template <typename Real>
std::unique_ptr<Objective<Real>> make_variational_objective(const ObjectiveSettings& settings,
                                                            const ParameterLayout& layout,
                                                            ThreadTeam& team, std::uint64_t seed);

}  // namespace gradus
