// Gradient prediction gain (paper, section 3.1): prediction gain to first order, for a step along
// the negative gradient. With a posterior over weights, the gradient is by its parameters.
//
//   GPG = |grad L(x, theta)|^2

#include "gradus/gains/gains.h"

namespace gradus {
namespace {

class GradientPredictionGain final : public Gain {
 public:
  std::string_view name() const override { return "gpg"; }
  Needs needs() const override { return {.gradient_norm = true}; }
  double progress(const Measurements& m) const override { return m.gradient_norm; }
};

}  // namespace

std::unique_ptr<Gain> make_gpg() {
  return std::make_unique<GradientPredictionGain>();
}

}  // namespace gradus
