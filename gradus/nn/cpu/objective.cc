#include "gradus/nn/cpu/objective.h"

#include "gradus/core/error.h"
#include "gradus/core/setting.h"

namespace gradus {

template <typename Real>
std::unique_ptr<Objective<Real>> make_objective(const ObjectiveSettings& settings,
                                                const ParameterLayout& layout, ThreadTeam& team,
                                                std::uint64_t seed) {
  checked(settings);
  if (settings.kind == ObjectiveKind::kMaximumLikelihood) {
    return make_point_objective<Real>(0, layout, team);
  }
  if (settings.kind == ObjectiveKind::kL2) {
    return make_point_objective<Real>(settings.decay, layout, team);
  }
  if (settings.total_sequences == 0) {
    throw InputError("vi.sequences is 0, expected the number of sequences of the curriculum");
  }
  return make_variational_objective<Real>(settings, layout, team, seed);
}

template std::unique_ptr<Objective<float>> make_objective(const ObjectiveSettings&,
                                                          const ParameterLayout&, ThreadTeam&,
                                                          std::uint64_t);
template std::unique_ptr<Objective<double>> make_objective(const ObjectiveSettings&,
                                                           const ParameterLayout&, ThreadTeam&,
                                                           std::uint64_t);

}  // namespace gradus
