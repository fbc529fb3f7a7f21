// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gradus/core/learner.h"
#include "gradus/nn/layout.h"

namespace gradus {

/// The state that training changes: phi and the optimiser's state for it, as flat arrays of Q
/// numbers. `parts` divides each array into named matrices.
template <typename Real>
struct FlatState {
  std::span<Real> trained;
  std::span<Real> variances;
  std::span<Real> means;
  std::span<Real> steps;
};

template <typename Real>
LearnerState save_state(const std::vector<Slice>& parts, const FlatState<const Real>& from,
                        std::uint64_t updates);

/// Fills `into`. Throws InputError and changes nothing if the tensors are not those that
/// save_state() would write.
template <typename Real>
void restore_state(const LearnerState& state, const std::vector<Slice>& parts,
                   const FlatState<Real>& into);

}  // namespace gradus
