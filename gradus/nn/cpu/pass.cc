#include "gradus/nn/cpu/pass.h"

#include "gradus/nn/cpu/fast/lstm.h"
#include "gradus/nn/cpu/reference_pass.h"

namespace gradus {

template <>
std::unique_ptr<NetworkPass<double>> make_pass(const ParameterLayout& layout, ThreadTeam& team) {
  return std::make_unique<ReferencePass>(layout, team);
}

template <>
std::unique_ptr<NetworkPass<float>> make_pass(const ParameterLayout& layout, ThreadTeam& team) {
  return std::make_unique<fast::FastLstm>(layout, team);
}

}  // namespace gradus
