// Variational inference (paper, section 3.2; Graves 2011). The optimiser moves phi = (mu, rho) of a
// diagonal Gaussian posterior over the weights and psi = (prior mu, prior rho) of a diagonal
// Gaussian prior, where a width is sigma = softplus(rho):
//
//   objective = L(theta) + KL / S,   theta = mu + sigma eps,   eps ~ N(0, 1), one draw an update
//   KL = sum over weights of ((mu - mu_q)^2 + sigma^2 - sigma_q^2) / (2 sigma_q^2) + ln(sigma_q /
//   sigma)
//
//   dL/dmu = g                      dKL/dmu    = (mu - mu_q) / sigma_q^2
//   dL/drho = g eps sigmoid(rho)    dKL/drho   = (sigma / sigma_q^2 - 1 / sigma) sigmoid(rho)
//   dL/dpsi = 0                     dKL/dmu_q  = -sum (mu - mu_q) / sigma_q^2
//                                   dKL/drho_q = sum (1/sigma_q - ((mu - mu_q)^2 + sigma^2) /
//                                   sigma_q^3)
//                                                sigmoid(rho_q)
//
// with g = grad L at theta (the reparameterised, single-sample estimate). Sums are in double and
// run over fixed blocks, so that they do not depend on the number of threads.
//
// Compiled with -ffast-math, which lets the compiler use the vector forms of exp and log.

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "gradus/nn/cpu/fast/passes.h"
#include "gradus/nn/cpu/noise.h"
#include "gradus/nn/cpu/objective.h"

namespace gradus {
namespace {

// log(1 + exp(x)) without overflow, and its derivative.
double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}
double softplus_slope(double x) {
  return 1 / (1 + std::exp(-x));
}
// The x with softplus(x) = y, for y > 0.
double inverse_softplus(double y) {
  return y + std::log(-std::expm1(-y));
}

void sample_group(std::size_t count, const float* mu, const float* rho, const float* noise,
                  float* theta) {
  fast::sample_weights(count, mu, rho, noise, theta);
}
void sample_group(std::size_t count, const double* mu, const double* rho, const double* noise,
                  double* theta) {
  for (std::size_t i = 0; i < count; ++i) theta[i] = mu[i] + softplus(rho[i]) * noise[i];
}

constexpr std::size_t kBlock = 16'384;

// A stretch of weights under one pair of the prior, or, where each has its own, under pairs
// [prior, prior + last - first).
struct Group {
  std::size_t first;
  std::size_t last;
  std::size_t prior;
};

// What one group's weights add to the gradient of the prior and to what is measured.
struct Sums {
  double prior_mean = 0;   // dKL/dmu_q
  double prior_width = 0;  // dKL/dsigma_q
  double gradient_norm = 0;
  double kl_dot_gradient = 0;
};

template <typename Real>
class VariationalObjective final : public Objective<Real> {
 public:
  VariationalObjective(const ObjectiveSettings& settings, const ParameterLayout& layout,
                       ThreadTeam& team, std::uint64_t seed)
      : settings_(settings),
        layout_(layout),
        team_(team),
        seed_(seed),
        weights_(layout.parameters()),
        noise_(layout.parameters()),
        theta_(layout.parameters()) {
    make_groups();
  }

  std::size_t trained() const override { return 2 * weights_ + 2 * priors_; }

  std::vector<Slice> parts() const override {
    std::vector<Slice> parts;
    for (const char* prefix : {"mean.", "width."}) {
      for (const Slice& slice : layout_.slices()) {
        const std::size_t offset = slice.offset + (prefix[0] == 'w' ? weights_ : 0);
        parts.push_back({prefix + slice.name, offset, slice.rows, slice.columns});
      }
    }
    const int priors = static_cast<int>(priors_);
    parts.push_back({"prior.mean", 2 * weights_, 1, priors});
    parts.push_back({"prior.width", 2 * weights_ + priors_, 1, priors});
    return parts;
  }

  void start(std::span<const double> weights, std::span<Real> phi) const override {
    const Real rho = static_cast<Real>(inverse_softplus(settings_.posterior_width));
    const Real prior_rho = static_cast<Real>(inverse_softplus(settings_.prior_width));
    for (std::size_t i = 0; i < weights_; ++i) {
      phi[i] = static_cast<Real>(weights[i]);
      phi[weights_ + i] = rho;
    }
    for (std::size_t k = 0; k < priors_; ++k) {
      phi[2 * weights_ + k] = 0;
      phi[2 * weights_ + priors_ + k] = prior_rho;
    }
  }

  void begin_update(std::uint64_t update) override {
    for_each_group([&](std::size_t k) {
      const Group& group = groups_[k];
      fill_noise(seed_, update, group.first, group.last, std::span<Real>(noise_));
    });
  }

  std::span<const Real> sample(std::span<const Real> phi) override {
    for_each_group([&](std::size_t k) {
      const std::size_t first = groups_[k].first;
      const std::size_t count = groups_[k].last - first;
      sample_group(count, phi.data() + first, phi.data() + weights_ + first, noise_.data() + first,
                   theta_.data() + first);
    });
    return theta_;
  }

  std::span<const Real> evaluated(std::span<const Real> phi) override {
    return settings_.evaluate_at_sample ? sample(phi) : phi.first(weights_);
  }

  void finish_gradient(std::span<const Real> phi, std::span<Real> gradient, const Needs& needs,
                       Measurements& measured) override {
    const bool own = settings_.prior == PriorKind::kWeight;
    std::fill(gradient.begin() + static_cast<std::ptrdiff_t>(2 * weights_), gradient.end(),
              Real{0});
    for_each_group([&](std::size_t k) {
      sums_[k] = own ? group_gradient<true>(groups_[k], phi, gradient)
                     : group_gradient<false>(groups_[k], phi, gradient);
    });
    if (!own) shared_prior_gradient(phi, gradient);
    double gradient_norm = 0;
    double kl_dot_gradient = 0;
    for (const Sums& sums : sums_) {
      gradient_norm += sums.gradient_norm;
      kl_dot_gradient += sums.kl_dot_gradient;
    }
    if (needs.gradient_norm) measured.gradient_norm = gradient_norm;
    if (needs.kl_dot_gradient) measured.kl_dot_gradient = kl_dot_gradient;
  }

  double kl(std::span<const Real> phi) const override {
    const bool own = settings_.prior == PriorKind::kWeight;
    std::vector<double> sums(groups_.size());
    for_each_group([&](std::size_t k) {
      sums[k] = own ? group_kl<true>(groups_[k], phi) : group_kl<false>(groups_[k], phi);
    });
    double total = 0;
    for (const double sum : sums) total += sum;
    return total;
  }

  double weight_norm(std::span<const Real>) const override {
    throw std::logic_error(
        "a network trained by variational inference has no single weight vector");
  }

 private:
  // Blocks of at most kBlock weights that never cross the border between two priors.
  void make_groups() {
    const bool own = settings_.prior == PriorKind::kWeight;
    const auto add = [&](std::size_t first, std::size_t last, std::size_t prior) {
      for (std::size_t at = first; at < last; at += kBlock) {
        groups_.push_back({at, std::min(at + kBlock, last), own ? at : prior});
      }
    };
    if (settings_.prior == PriorKind::kTensor) {
      for (const Slice& slice : layout_.slices()) {
        add(slice.offset, slice.offset + slice.size(), priors_++);
      }
    } else {
      add(0, weights_, 0);
      priors_ = own ? weights_ : 1;
    }
    sums_.resize(groups_.size());
    if (!own) by_prior_.resize(priors_);
  }

  template <typename Job>
  void for_each_group(Job job) const {
    team_.run(static_cast<int>(groups_.size()), [&](int k) { job(static_cast<std::size_t>(k)); });
  }

  template <bool kOwn>
  double group_kl(const Group& group, std::span<const Real> phi) const {
    const Real* mu = phi.data() + group.first;
    const Real* rho = mu + weights_;
    const Real* prior_mu = phi.data() + 2 * weights_ + group.prior;
    const Real* prior_rho = prior_mu + priors_;
    const double shared_width = softplus(prior_rho[0]);
    double sum = 0;
    for (std::size_t i = 0; i < group.last - group.first; ++i) {
      const double width = kOwn ? softplus(prior_rho[i]) : shared_width;
      const double sigma = softplus(rho[i]);
      const double offset = mu[i] - prior_mu[kOwn ? i : 0];
      sum += (offset * offset + sigma * sigma - width * width) / (2 * width * width) +
             std::log(width / sigma);
    }
    return sum;
  }

  template <bool kOwn>
  Sums group_gradient(const Group& group, std::span<const Real> phi, std::span<Real> gradient) {
    const Real* mu = phi.data() + group.first;
    const Real* rho = mu + weights_;
    const Real* prior_mu = phi.data() + 2 * weights_ + group.prior;
    const Real* prior_rho = prior_mu + priors_;
    const Real* noise = noise_.data() + group.first;
    Real* __restrict to_mu = gradient.data() + group.first;
    Real* __restrict to_rho = to_mu + weights_;
    Real* __restrict to_prior_mu = gradient.data() + 2 * weights_ + group.prior;
    Real* __restrict to_prior_rho = to_prior_mu + priors_;
    const double shared_width = softplus(prior_rho[0]);
    const double share = 1 / settings_.total_sequences;
    double prior_mean = 0, prior_width = 0, gradient_norm = 0, kl_dot_gradient = 0;
    for (std::size_t i = 0; i < group.last - group.first; ++i) {
      const double width = kOwn ? softplus(prior_rho[i]) : shared_width;
      const double variance = width * width;
      const double sigma = softplus(rho[i]);
      const double slope = softplus_slope(rho[i]);
      const double offset = mu[i] - prior_mu[kOwn ? i : 0];
      const double kl_mu = offset / variance;
      const double kl_rho = (sigma / variance - 1 / sigma) * slope;
      const double kl_width = (1 - (offset * offset + sigma * sigma) / variance) / width;
      const double data_mu = to_mu[i];
      const double data_rho = data_mu * noise[i] * slope;
      gradient_norm += data_mu * data_mu + data_rho * data_rho;
      kl_dot_gradient += kl_mu * data_mu + kl_rho * data_rho;
      to_mu[i] = static_cast<Real>(data_mu + kl_mu * share);
      to_rho[i] = static_cast<Real>(data_rho + kl_rho * share);
      if constexpr (kOwn) {
        to_prior_mu[i] = static_cast<Real>(-kl_mu * share);
        to_prior_rho[i] = static_cast<Real>(kl_width * softplus_slope(prior_rho[i]) * share);
      } else {
        prior_mean -= kl_mu;
        prior_width += kl_width;
      }
    }
    return {prior_mean, prior_width, gradient_norm, kl_dot_gradient};
  }

  void shared_prior_gradient(std::span<const Real> phi, std::span<Real> gradient) {
    std::fill(by_prior_.begin(), by_prior_.end(), Sums{});
    for (std::size_t k = 0; k < groups_.size(); ++k) {
      by_prior_[groups_[k].prior].prior_mean += sums_[k].prior_mean;
      by_prior_[groups_[k].prior].prior_width += sums_[k].prior_width;
    }
    for (std::size_t p = 0; p < priors_; ++p) {
      const std::size_t mean = 2 * weights_ + p;
      const std::size_t rho = mean + priors_;
      const double s = settings_.total_sequences;
      gradient[mean] = static_cast<Real>(by_prior_[p].prior_mean / s);
      gradient[rho] = static_cast<Real>(by_prior_[p].prior_width * softplus_slope(phi[rho]) / s);
    }
  }

  ObjectiveSettings settings_;
  const ParameterLayout& layout_;
  ThreadTeam& team_;
  std::uint64_t seed_;
  std::size_t weights_;
  std::size_t priors_ = 0;
  std::vector<Group> groups_;
  std::vector<Sums> sums_;
  std::vector<Sums> by_prior_;  // where weights share a prior
  std::vector<Real> noise_;
  std::vector<Real> theta_;
};

}  // namespace

template <typename Real>
std::unique_ptr<Objective<Real>> make_variational_objective(const ObjectiveSettings& settings,
                                                            const ParameterLayout& layout,
                                                            ThreadTeam& team, std::uint64_t seed) {
  return std::make_unique<VariationalObjective<Real>>(settings, layout, team, seed);
}

template std::unique_ptr<Objective<float>> make_variational_objective(const ObjectiveSettings&,
                                                                      const ParameterLayout&,
                                                                      ThreadTeam&, std::uint64_t);
template std::unique_ptr<Objective<double>> make_variational_objective(const ObjectiveSettings&,
                                                                       const ParameterLayout&,
                                                                       ThreadTeam&, std::uint64_t);

}  // namespace gradus
