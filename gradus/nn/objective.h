#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gradus/core/gain.h"

namespace gradus {

/// What training minimises (paper, sections 3.2 and 4). L is the data loss, a batch's mean over
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
  double posterior_width = 0.02;    ///< standard deviation of every weight at the start
  double prior_width = 0.1;         ///< standard deviation of the prior at the start; its mean is 0
  double total_sequences = 0;       ///< S
  bool evaluate_at_sample = false;  ///< losses at a sampled weight vector, not at the mean
};

/// Names as the settings spell them; the parsers throw InputError with the nearest one.
const std::vector<std::string>& objective_names();
const std::vector<std::string>& prior_names();
ObjectiveKind parse_objective(const std::string& name);
PriorKind parse_prior(const std::string& name);
std::string to_string(ObjectiveKind kind);

/// Throws InputError where `needs` cannot be measured under the objective, naming the one that it
/// takes. Returns a warning where it can but should be doubted.
std::optional<std::string> check_measurable(const std::string& gain, const Needs& needs,
                                            ObjectiveKind kind);

}  // namespace gradus
