// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/objective.h"

namespace gradus {

template <typename Real>
std::unique_ptr<Objective<Real>> make_objective(const ObjectiveSettings& settings,
                                                const ParameterLayout& layout, ThreadTeam& team,
                                                std::uint64_t seed) {
  check_objective(settings);
  if (settings.kind == ObjectiveKind::kVariational) {
    return make_variational_objective<Real>(settings, layout, team, seed);
  }
  const double decay = settings.kind == ObjectiveKind::kL2 ? settings.decay : 0;
  return make_point_objective<Real>(decay, team);
}

template std::unique_ptr<Objective<float>> make_objective(const ObjectiveSettings&,
                                                          const ParameterLayout&, ThreadTeam&,
                                                          std::uint64_t);
template std::unique_ptr<Objective<double>> make_objective(const ObjectiveSettings&,
                                                           const ParameterLayout&, ThreadTeam&,
                                                           std::uint64_t);

}  // namespace gradus
