// SPDX-License-Identifier: Apache-2.0
// Maximum likelihood and L2. The weights themselves are trained: phi = theta.
//
//   gradient = grad L + decay theta          (the gradient of L + (decay / 2) |theta|^2)

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "gradus/nn/cpu/dot.h"
#include "gradus/nn/cpu/objective.h"

namespace gradus {
namespace {

// Parameters per job of an update.
constexpr std::size_t kStretch = 4096;

template <typename Real>
class PointObjective final : public Objective<Real> {
 public:
  PointObjective(double decay, ThreadTeam& team) : decay_(decay), team_(team) {}

  std::span<const Real> begin_update(std::uint64_t, std::span<const Real> phi) override {
    return phi;
  }
  std::span<const Real> evaluated(std::span<const Real> phi) override { return phi; }

  std::span<const Real> update(std::span<Real> phi, std::span<Real> gradient,
                               RmsProp<Real>& optimiser, bool, const Needs& needs,
                               Measurements& measured) override {
    if (needs.gradient_norm) measured.gradient_norm = dot(gradient, gradient);
    if (needs.weights_dot_gradient) measured.weights_dot_gradient = dot(phi, gradient);
    const Real scale = optimiser.clips() ? optimiser.scale_of(length(phi, gradient)) : 1;
    const Real decay = static_cast<Real>(decay_);
    const std::size_t stretches = (phi.size() + kStretch - 1) / kStretch;
    team_.run_shares(static_cast<int>(stretches), [&](int stretch) {
      const std::size_t first = stretch * kStretch;
      optimiser.update(first, std::min(first + kStretch, phi.size()), scale, decay, gradient, phi);
    });
    return phi;
  }

  double gradient_product(std::span<const Real>, std::span<const Real> a,
                          std::span<const Real> b) override {
    return dot(a, b);
  }
  double weight_norm(std::span<const Real> phi) override { return dot(phi, phi); }
  double kl(std::span<const Real>) override {
    throw std::logic_error("a network trained without a prior has no KL divergence");
  }

 private:
  // Norm of data gradient plus decay, before that sum is materialised.
  double length(std::span<const Real> phi, std::span<const Real> data_gradient) const {
    return std::sqrt(dot(data_gradient, data_gradient) + 2 * decay_ * dot(phi, data_gradient) +
                     decay_ * decay_ * dot(phi, phi));
  }

  double decay_;
  ThreadTeam& team_;
};

}  // namespace

template <typename Real>
std::unique_ptr<Objective<Real>> make_point_objective(double decay, ThreadTeam& team) {
  return std::make_unique<PointObjective<Real>>(decay, team);
}

template std::unique_ptr<Objective<float>> make_point_objective(double, ThreadTeam&);
template std::unique_ptr<Objective<double>> make_point_objective(double, ThreadTeam&);

}  // namespace gradus
