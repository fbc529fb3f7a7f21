// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/pass.h"

#include "gradus/nn/cpu/fast/lstm.h"
#include "gradus/nn/cpu/reference_pass.h"

namespace gradus {

template <>
std::unique_ptr<NetworkPass<double>> make_pass(const ParameterLayout& layout, ThreadTeam& team,
                                               double largest_derivative) {
  return std::make_unique<ReferencePass>(layout, team, largest_derivative);
}

template <>
std::unique_ptr<NetworkPass<float>> make_pass(const ParameterLayout& layout, ThreadTeam& team,
                                              double largest_derivative) {
  return std::make_unique<fast::FastLstm>(layout, team, largest_derivative);
}

}  // namespace gradus
