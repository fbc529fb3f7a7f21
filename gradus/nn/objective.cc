// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/objective.h"

#include <cmath>

#include "gradus/core/error.h"
#include "gradus/core/setting.h"

namespace gradus {
namespace {

// The rho with softplus(rho) = width.
double rho_of(double width) {
  return width + std::log(-std::expm1(-width));
}

}  // namespace

const std::vector<std::string>& objective_names() {
  static const std::vector<std::string> names = {"ml", "l2", "vi"};
  return names;
}

const std::vector<std::string>& prior_names() {
  static const std::vector<std::string> names = {"global", "tensor", "weight"};
  return names;
}

std::vector<Setting> settings_of(ObjectiveSettings& s) {
  return {
      {"l2.decay", "coefficient of half the squared norm of the weights", &s.decay, {0, 100}},
      {.key = "vi.prior",
       .help =
           "how many (mean, width) pairs the prior has: \"global\" one, \"tensor\" one per matrix, "
           "\"weight\" one per weight",
       .value = EnumValue(&s.prior),
       .choices = prior_names()},
      {"vi.posterior_width",
       "initial standard deviation of every weight",
       &s.posterior_width,
       {.low = 0, .high = 100, .above = true}},
      {"vi.prior_width",
       "initial standard deviation of the prior",
       &s.prior_width,
       {.low = 0, .high = 100, .above = true}},
      {"vi.sequences",
       "S, the number of sequences by which the KL divergence is divided; 0 means that of the "
       "curriculum",
       &s.total_sequences,
       {0, 1e15}},
      {.key = "vi.evaluate",
       .help = "weights to evaluate: the posterior's \"mean\", or a \"sample\" from it",
       .value = EnumValue(&s.evaluate_at_sample),
       .choices = {"mean", "sample"}},
  };
}

std::string to_string(ObjectiveKind kind) {
  return objective_names()[static_cast<int>(kind)];
}

void check_objective(const ObjectiveSettings& settings) {
  checked(settings);
  if (settings.kind == ObjectiveKind::kVariational && settings.total_sequences == 0) {
    throw InputError("vi.sequences is 0, expected the number of sequences of the curriculum");
  }
}

std::size_t prior_count(const ObjectiveSettings& settings, const ParameterLayout& layout) {
  if (settings.kind != ObjectiveKind::kVariational) return 0;
  if (settings.prior == PriorKind::kGlobal) return 1;
  return settings.prior == PriorKind::kTensor ? layout.slices().size() : layout.parameters();
}

std::vector<Slice> trained_parts(const ObjectiveSettings& settings, const ParameterLayout& layout) {
  if (settings.kind != ObjectiveKind::kVariational) return layout.slices();
  std::vector<Slice> parts;
  std::size_t offset = 0;
  const auto add = [&](std::string name, int rows, int columns) {
    parts.push_back({std::move(name), offset, rows, columns});
    offset += parts.back().size();
  };
  for (const char* prefix : {"mean.", "width."}) {
    for (const Slice& slice : layout.slices()) add(prefix + slice.name, slice.rows, slice.columns);
  }
  const int priors = static_cast<int>(prior_count(settings, layout));
  add("prior.mean", 1, priors);
  add("prior.width", 1, priors);
  return parts;
}

std::vector<double> initial_phi(const ObjectiveSettings& settings, const ParameterLayout& layout,
                                std::span<const double> weights) {
  std::vector<double> phi(weights.begin(), weights.end());
  if (settings.kind != ObjectiveKind::kVariational) return phi;
  const std::size_t priors = prior_count(settings, layout);
  phi.insert(phi.end(), weights.size(), rho_of(settings.posterior_width));
  phi.insert(phi.end(), priors, 0.0);
  phi.insert(phi.end(), priors, rho_of(settings.prior_width));
  return phi;
}

std::optional<std::string> check_measurable(const std::string& gain, const Needs& needs,
                                            ObjectiveKind kind) {
  const bool variational = kind == ObjectiveKind::kVariational;
  if ((needs.kl || needs.kl_dot_gradient) && !variational) {
    throw InputError("gain " + gain + " measures the KL divergence from the prior, which needs " +
                     "objective \"vi\"; objective is \"" + to_string(kind) + "\"");
  }
  const bool weights = needs.weight_norm || needs.weights_dot_gradient;
  if (weights && variational) {
    throw InputError("gain " + gain + " measures the norm of the weights, which needs objective " +
                     "\"l2\" (or \"ml\"); objective is \"vi\"");
  }
  if (weights && kind == ObjectiveKind::kMaximumLikelihood) {
    return "gain " + gain + " on a network without L2 regularisation: the paper found this \"an " +
           "unreliable signal, presumably because the network has no incentive to decrease " +
           "complexity when faced with uninformative data\" (section 3.2); use objective=l2";
  }
  return std::nullopt;
}

}  // namespace gradus
