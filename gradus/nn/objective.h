// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gradus/core/gain.h"
#include "gradus/nn/layout.h"

namespace gradus {

struct Setting;  // core/setting.h

/// What training minimises (paper, sections 3.2 and 4). L is the data loss, averaged over a batch's
/// sequences.
enum class ObjectiveKind {
  kMaximumLikelihood,  ///< L
  kL2,                 ///< L + (decay / 2) |theta|^2
  kVariational,        ///< L at theta = mu + softplus(rho) eps, + KL(posterior | prior) / S
};

/// How many (mean, width) pairs the adaptive prior has.
enum class PriorKind { kGlobal, kTensor, kWeight };

struct ObjectiveSettings {
  ObjectiveKind kind = ObjectiveKind::kMaximumLikelihood;
  double decay = 1e-4;  ///< l2

  // vi
  PriorKind prior = PriorKind::kGlobal;
  double posterior_width = 0.02;
  double prior_width = 0.1;    ///< the prior's mean starts at 0
  double total_sequences = 0;  ///< S; a learner needs a number above 0
  bool evaluate_at_sample = false;
};
/// All settings but the kind.
std::vector<Setting> settings_of(ObjectiveSettings& settings);

/// Names as spelt in settings, in the order of the enumerations.
const std::vector<std::string>& objective_names();
const std::vector<std::string>& prior_names();
std::string to_string(ObjectiveKind kind);

/// Throws InputError if a setting that the objective uses is out of range.
void check_objective(const ObjectiveSettings& settings);

/// Number of (mean, width) pairs of the prior; 0 if the objective has none.
std::size_t prior_count(const ObjectiveSettings& settings, const ParameterLayout& layout);

/// The named parts of phi, the Q numbers that the optimiser moves, in order. They cover all of it.
/// On every back end, phi is the P weights, or (mu (P), rho (P), prior mu, prior rho) for vi.
std::vector<Slice> trained_parts(const ObjectiveSettings& settings, const ParameterLayout& layout);

/// phi (Q) before the first update, from the starting weights (P).
std::vector<double> initial_phi(const ObjectiveSettings& settings, const ParameterLayout& layout,
                                std::span<const double> weights);

/// Throws InputError if `needs` cannot be measured under the objective; the message names an
/// objective that allows it. Returns a warning if it can be measured but is unreliable.
std::optional<std::string> check_measurable(const std::string& gain, const Needs& needs,
                                            ObjectiveKind kind);

}  // namespace gradus
