// Maximum likelihood and L2: the weights themselves are trained, phi = theta.
//
//   gradient = grad L + decay theta          (the gradient of L + (decay / 2) |theta|^2)

#include <algorithm>
#include <stdexcept>

#include "gradus/nn/cpu/fast/passes.h"
#include "gradus/nn/cpu/objective.h"

namespace gradus {
namespace {

double dot(std::span<const float> a, std::span<const float> b) {
  return fast::dot(a.size(), a.data(), b.data());
}
double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

template <typename Real>
class PointObjective final : public Objective<Real> {
 public:
  PointObjective(double decay, const ParameterLayout& layout) : decay_(decay), layout_(layout) {}

  std::size_t trained() const override { return layout_.parameters(); }
  std::vector<Slice> parts() const override { return layout_.slices(); }

  void start(std::span<const double> weights, std::span<Real> phi) const override {
    std::transform(weights.begin(), weights.end(), phi.begin(),
                   [](double weight) { return static_cast<Real>(weight); });
  }

  void begin_update(std::uint64_t) override {}
  std::span<const Real> sample(std::span<const Real> phi) override { return phi; }
  std::span<const Real> evaluated(std::span<const Real> phi) override { return phi; }

  void finish_gradient(std::span<const Real> phi, std::span<Real> gradient, const Needs& needs,
                       Measurements& measured) override {
    const std::span<const Real> data_gradient = gradient;
    if (needs.gradient_norm) measured.gradient_norm = dot(data_gradient, data_gradient);
    if (needs.weights_dot_gradient) measured.weights_dot_gradient = dot(phi, data_gradient);
    if (decay_ == 0) return;
    const Real decay = static_cast<Real>(decay_);
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += decay * phi[i];
  }

  double weight_norm(std::span<const Real> phi) const override { return dot(phi, phi); }
  double kl(std::span<const Real>) const override {
    throw std::logic_error("a network trained without a prior has no KL divergence");
  }

 private:
  double decay_;
  const ParameterLayout& layout_;
};

}  // namespace

template <typename Real>
std::unique_ptr<Objective<Real>> make_point_objective(double decay, const ParameterLayout& layout) {
  return std::make_unique<PointObjective<Real>>(decay, layout);
}

template std::unique_ptr<Objective<float>> make_point_objective(double, const ParameterLayout&);
template std::unique_ptr<Objective<double>> make_point_objective(double, const ParameterLayout&);

}  // namespace gradus
