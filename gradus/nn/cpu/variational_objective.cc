// SPDX-License-Identifier: Apache-2.0
// Variational inference (paper, section 3.2; Graves 2011). The optimiser moves phi = (mu, rho) of a
// diagonal Gaussian posterior over the weights and psi = (prior mu, prior rho) of a diagonal
// Gaussian prior. Widths are sigma = softplus(rho):
//
//   objective = L(theta) + KL / S,   theta = mu + sigma eps,   eps ~ N(0, 1), drawn once per update
//   KL = sum over weights of
//        ((mu - mu_q)^2 + sigma^2 - sigma_q^2) / (2 sigma_q^2) + ln(sigma_q / sigma)
//
//   dL/dmu = g                      dKL/dmu    = (mu - mu_q) / sigma_q^2
//   dL/drho = g eps sigmoid(rho)    dKL/drho   = (sigma / sigma_q^2 - 1 / sigma) sigmoid(rho)
//   dL/dpsi = 0                     dKL/dmu_q  = -sum (mu - mu_q) / sigma_q^2
//                                   dKL/drho_q = sigmoid(rho_q) *
//                                      sum (1/sigma_q - ((mu - mu_q)^2 + sigma^2) / sigma_q^3)
//
// with g = grad L at theta (the reparameterised, single-sample estimate). Sums are in double and
// run over fixed groups of weights, so that they do not depend on the number of threads.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "gradus/nn/cpu/dot.h"
#include "gradus/nn/cpu/large_pages.h"
#include "gradus/nn/cpu/noise.h"
#include "gradus/nn/cpu/objective.h"
#include "gradus/nn/cpu/posterior.h"

namespace gradus {
namespace {

// Weights per group. The data that an update reads and writes for that many weights stays in a
// core's private cache from the gradient through the optimiser to the next sample.
constexpr std::size_t kGroup = 4096;

// Weights [first, last) that share prior number `prior`, or, if each weight has its own, use priors
// [prior, prior + last - first).
struct Group {
  std::size_t first;
  std::size_t last;
  std::size_t prior;
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
        priors_(prior_count(settings, layout)),
        noise_(layout.parameters()),
        theta_(layout.parameters()) {
    make_groups();
  }

  std::span<const Real> begin_update(std::uint64_t update, std::span<const Real> phi) override {
    for_each_group([&](const Group& group, PosteriorSums&) {
      fill_noise(seed_, update, group.first, group.last, std::span<Real>(noise_));
      sample(group, phi);
    });
    return theta_;
  }

  std::span<const Real> evaluated(std::span<const Real> phi) override {
    if (!settings_.evaluate_at_sample) return phi.first(weights_);
    for_each_group([&](const Group& group, PosteriorSums&) { sample(group, phi); });
    return theta_;
  }

  std::span<const Real> update(std::span<Real> phi, std::span<Real> gradient,
                               RmsProp<Real>& optimiser, bool sample_again, const Needs& needs,
                               Measurements& measured) override {
    const auto move = [&](const Group& group, Real scale) {
      move_group(group, scale, phi, gradient, optimiser);
      if (sample_again) sample(group, phi);
    };
    for_each_group([&](const Group& group, PosteriorSums& sums) {
      sums = posterior_gradient(posterior(group, phi), noise_.data() + group.first,
                                1 / settings_.total_sequences, gradient_of(group, gradient));
      if (!optimiser.clips()) move(group, 1);
    });
    if (!own_prior()) shared_prior_gradient(phi, gradient);
    Real scale = 1;
    if (optimiser.clips()) {
      scale = optimiser.scale_of(std::sqrt(dot(gradient, gradient)));
      for_each_group([&](const Group& group, PosteriorSums&) { move(group, scale); });
    }
    if (!own_prior()) optimiser.update(2 * weights_, phi.size(), scale, 0, gradient, phi);
    measure(needs, measured);
    return theta_;
  }

  // dL/dmu = g and dL/drho = g eps sigmoid(rho).
  double gradient_product(std::span<const Real> phi, std::span<const Real> a,
                          std::span<const Real> b) override {
    for_each_group([&](const Group& group, PosteriorSums& sums) {
      sums.product = 0;
      for (std::size_t i = group.first; i < group.last; ++i) {
        const double by_rho = noise_[i] * softplus_slope(phi[weights_ + i]);
        sums.product += static_cast<double>(a[i]) * b[i] * (1 + by_rho * by_rho);
      }
    });
    double total = 0;
    for (const PosteriorSums& sums : sums_) total += sums.product;
    return total;
  }

  double kl(std::span<const Real> phi) override {
    for_each_group([&](const Group& group, PosteriorSums& sums) {
      sums.kl = posterior_kl(posterior(group, phi));
    });
    return std::accumulate(sums_.begin(), sums_.end(), 0.0,
                           [](double total, const PosteriorSums& sums) { return total + sums.kl; });
  }

  double weight_norm(std::span<const Real>) override {
    throw std::logic_error(
        "a network trained by variational inference has no single weight vector");
  }

 private:
  // Makes groups of at most kGroup weights, each with a single prior unless weights have their own.
  void make_groups() {
    const bool own = own_prior();
    const auto add = [&](std::size_t first, std::size_t last, std::size_t prior) {
      for (std::size_t at = first; at < last; at += kGroup) {
        groups_.push_back({at, std::min(at + kGroup, last), own ? at : prior});
      }
    };
    if (settings_.prior == PriorKind::kTensor) {
      std::size_t prior = 0;
      for (const Slice& slice : layout_.slices()) {
        add(slice.offset, slice.end(), prior++);
      }
    } else {
      add(0, weights_, 0);
    }
    sums_.resize(groups_.size());
    if (!own) by_prior_.resize(priors_);
  }

  bool own_prior() const { return settings_.prior == PriorKind::kWeight; }

  // Calls job(group, its entry of sums_). Each group always runs on the same thread.
  template <typename Job>
  void for_each_group(Job job) {
    team_.run_shares(static_cast<int>(groups_.size()), [&](int k) { job(groups_[k], sums_[k]); });
  }

  PosteriorGroup<Real> posterior(const Group& group, std::span<const Real> phi) const {
    const Real* mu = phi.data() + group.first;
    const Real* prior_mu = phi.data() + 2 * weights_ + group.prior;
    return {group.last - group.first, own_prior(), mu, mu + weights_, prior_mu, prior_mu + priors_};
  }

  PosteriorGradient<Real> gradient_of(const Group& group, std::span<Real> gradient) const {
    Real* mu = gradient.data() + group.first;
    Real* prior_mu = gradient.data() + 2 * weights_ + group.prior;
    return {mu, mu + weights_, prior_mu, prior_mu + priors_};
  }

  void sample(const Group& group, std::span<const Real> phi) {
    sample_weights(posterior(group, phi), noise_.data() + group.first, theta_.data() + group.first);
  }

  void move_group(const Group& group, Real scale, std::span<Real> phi, std::span<Real> gradient,
                  RmsProp<Real>& optimiser) const {
    const auto move = [&](std::size_t first) {
      optimiser.update(first, first + group.last - group.first, scale, 0, gradient, phi);
    };
    move(group.first);
    move(weights_ + group.first);
    if (!own_prior()) return;
    move(2 * weights_ + group.prior);
    move(2 * weights_ + priors_ + group.prior);
  }

  void measure(const Needs& needs, Measurements& measured) const {
    PosteriorSums all;
    for (const PosteriorSums& sums : sums_) {
      all.gradient_norm += sums.gradient_norm;
      all.kl_dot_gradient += sums.kl_dot_gradient;
    }
    if (needs.gradient_norm) measured.gradient_norm = all.gradient_norm;
    if (needs.kl_dot_gradient) measured.kl_dot_gradient = all.kl_dot_gradient;
  }

  void shared_prior_gradient(std::span<const Real> phi, std::span<Real> gradient) {
    std::fill(by_prior_.begin(), by_prior_.end(), PosteriorSums{});
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
  std::size_t priors_;
  std::vector<Group> groups_;
  std::vector<PosteriorSums> sums_;
  std::vector<PosteriorSums> by_prior_;  // used if weights share a prior
  Array<Real> noise_;
  Array<Real> theta_;
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
