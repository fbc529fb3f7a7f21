#include "gradus/nn/cpu/objective.h"

#include <cmath>
#include <string>

#include "gradus/core/error.h"

namespace gradus {

template <typename Real>
std::unique_ptr<Objective<Real>> make_objective(const ObjectiveSettings& settings,
                                                const ParameterLayout& layout, ThreadTeam& team,
                                                std::uint64_t seed) {
  const auto require = [](const char* key, double value, bool valid, const char* expected) {
    if (std::isfinite(value) && valid) return;
    throw InputError(std::string(key) + " is " + to_text(value) + ", expected " + expected);
  };
  if (settings.kind == ObjectiveKind::kMaximumLikelihood) {
    return make_point_objective<Real>(0, layout, team);
  }
  if (settings.kind == ObjectiveKind::kL2) {
    require("l2.decay", settings.decay, settings.decay >= 0, "a number, 0 or more");
    return make_point_objective<Real>(settings.decay, layout, team);
  }
  constexpr const char* kPositive = "a number above 0";
  require("vi.posterior_width", settings.posterior_width, settings.posterior_width > 0, kPositive);
  require("vi.prior_width", settings.prior_width, settings.prior_width > 0, kPositive);
  require("vi.sequences", settings.total_sequences, settings.total_sequences > 0, kPositive);
  return make_variational_objective<Real>(settings, layout, team, seed);
}

template std::unique_ptr<Objective<float>> make_objective(const ObjectiveSettings&,
                                                          const ParameterLayout&, ThreadTeam&,
                                                          std::uint64_t);
template std::unique_ptr<Objective<double>> make_objective(const ObjectiveSettings&,
                                                           const ParameterLayout&, ThreadTeam&,
                                                           std::uint64_t);

}  // namespace gradus
