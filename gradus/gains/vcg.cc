// SPDX-License-Identifier: Apache-2.0
// Variational complexity gain (paper, section 3.2): the growth of the KL divergence of the
// posterior from the prior over one update of both.
//
//   VCG = KL(P_phi' | Q_psi') - KL(P_phi | Q_psi)

#include "gradus/gains/gains.h"

namespace gradus {
namespace {

class VariationalComplexityGain final : public Gain {
 public:
  std::string_view name() const override { return "vcg"; }
  Needs needs() const override { return {.kl = true}; }
  double progress(const std::string&, const Measurements& m) override {
    return m.kl_after - m.kl_before;
  }
};

}  // namespace

std::unique_ptr<Gain> make_vcg() {
  return std::make_unique<VariationalComplexityGain>();
}

}  // namespace gradus
