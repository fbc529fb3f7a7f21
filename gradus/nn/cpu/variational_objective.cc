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

#include <algorithm>
#include <cmath>
#include <stdexcept>

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

constexpr std::size_t kBlock = 16'384;

// A stretch of weights under one prior pair (or, with `own`, each under its own).
struct Group {
  std::size_t first;
  std::size_t last;
  std::size_t prior;  // place of the pair
  bool own;
};

// What one group's weights add to the KL and to the measured gradients.
struct Sums {
  double kl = 0;
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
      for (std::size_t i = groups_[k].first; i < groups_[k].last; ++i) {
        theta_[i] = phi[i] + static_cast<Real>(softplus(phi[weights_ + i])) * noise_[i];
      }
    });
    return theta_;
  }

  std::span<const Real> evaluated(std::span<const Real> phi) override {
    return settings_.evaluate_at_sample ? sample(phi) : phi.first(weights_);
  }

  void finish_gradient(std::span<const Real> phi, std::span<Real> gradient, const Needs& needs,
                       Measurements& measured) override {
    for_each_group([&](std::size_t k) { sums_[k] = group_gradient(groups_[k], phi, gradient); });
    std::fill(gradient.begin() + static_cast<std::ptrdiff_t>(2 * weights_), gradient.end(),
              Real{0});
    Sums total;
    for (std::size_t k = 0; k < groups_.size(); ++k) {
      total.gradient_norm += sums_[k].gradient_norm;
      total.kl_dot_gradient += sums_[k].kl_dot_gradient;
    }
    if (settings_.prior == PriorKind::kWeight) {
      for_each_group([&](std::size_t k) { own_prior_gradient(groups_[k], phi, gradient); });
    } else {
      shared_prior_gradient(phi, gradient);
    }
    if (needs.gradient_norm) measured.gradient_norm = total.gradient_norm;
    if (needs.kl_dot_gradient) measured.kl_dot_gradient = total.kl_dot_gradient;
  }

  double kl(std::span<const Real> phi) const override {
    std::vector<double> sums(groups_.size());
    for_each_group([&](std::size_t k) {
      const Group& group = groups_[k];
      for (std::size_t i = group.first; i < group.last; ++i) {
        const auto [mean, width] = prior_of(group, i, phi);
        const double sigma = softplus(phi[weights_ + i]);
        const double offset = phi[i] - mean;
        sums[k] += (offset * offset + sigma * sigma - width * width) / (2 * width * width) +
                   std::log(width / sigma);
      }
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
  struct PriorPair {
    double mean;
    double width;
  };

  // Blocks of at most kBlock weights that never cross the border between two priors.
  void make_groups() {
    const bool tensors = settings_.prior == PriorKind::kTensor;
    const auto add = [&](std::size_t first, std::size_t last, std::size_t prior) {
      for (std::size_t at = first; at < last; at += kBlock) {
        const bool own = settings_.prior == PriorKind::kWeight;
        groups_.push_back({at, std::min(at + kBlock, last), prior, own});
      }
    };
    if (tensors) {
      std::size_t prior = 0;
      for (const Slice& slice : layout_.slices()) {
        add(slice.offset, slice.offset + slice.size(), prior++);
      }
      priors_ = prior;
    } else {
      add(0, weights_, 0);
      priors_ = settings_.prior == PriorKind::kWeight ? weights_ : 1;
    }
    sums_.resize(groups_.size());
  }

  template <typename Job>
  void for_each_group(Job job) const {
    team_.run(static_cast<int>(groups_.size()), [&](int k) { job(static_cast<std::size_t>(k)); });
  }

  PriorPair prior_of(const Group& group, std::size_t weight, std::span<const Real> phi) const {
    const std::size_t place = group.own ? weight : group.prior;
    return {static_cast<double>(phi[2 * weights_ + place]),
            softplus(phi[2 * weights_ + priors_ + place])};
  }

  Sums group_gradient(const Group& group, std::span<const Real> phi, std::span<Real> gradient) {
    Sums sums;
    PriorPair prior = prior_of(group, group.first, phi);
    for (std::size_t i = group.first; i < group.last; ++i) {
      if (group.own) prior = prior_of(group, i, phi);
      const double rho = phi[weights_ + i];
      const double sigma = softplus(rho);
      const double slope = softplus_slope(rho);
      const double variance = prior.width * prior.width;
      const double offset = phi[i] - prior.mean;
      const double kl_mean = offset / variance;
      const double kl_width = (sigma / variance - 1 / sigma) * slope;
      const double data_mean = gradient[i];
      const double data_width = data_mean * noise_[i] * slope;
      sums.gradient_norm += data_mean * data_mean + data_width * data_width;
      sums.kl_dot_gradient += kl_mean * data_mean + kl_width * data_width;
      sums.prior_mean -= kl_mean;
      sums.prior_width += (1 - (offset * offset + sigma * sigma) / variance) / prior.width;
      gradient[i] = static_cast<Real>(data_mean + kl_mean / settings_.total_sequences);
      gradient[weights_ + i] = static_cast<Real>(data_width + kl_width / settings_.total_sequences);
    }
    return sums;
  }

  void shared_prior_gradient(std::span<const Real> phi, std::span<Real> gradient) const {
    std::vector<Sums> by_prior(priors_);
    for (std::size_t k = 0; k < groups_.size(); ++k) {
      by_prior[groups_[k].prior].prior_mean += sums_[k].prior_mean;
      by_prior[groups_[k].prior].prior_width += sums_[k].prior_width;
    }
    for (std::size_t p = 0; p < priors_; ++p) set_prior(p, by_prior[p], phi, gradient);
  }

  void own_prior_gradient(const Group& group, std::span<const Real> phi,
                          std::span<Real> gradient) const {
    for (std::size_t i = group.first; i < group.last; ++i) {
      const auto [mean, width] = prior_of(group, i, phi);
      const double sigma = softplus(phi[weights_ + i]);
      const double offset = phi[i] - mean;
      const double variance = width * width;
      Sums sums;
      sums.prior_mean = -offset / variance;
      sums.prior_width = (1 - (offset * offset + sigma * sigma) / variance) / width;
      set_prior(i, sums, phi, gradient);
    }
  }

  void set_prior(std::size_t place, const Sums& sums, std::span<const Real> phi,
                 std::span<Real> gradient) const {
    const std::size_t mean = 2 * weights_ + place;
    const std::size_t rho = mean + priors_;
    const double s = settings_.total_sequences;
    gradient[mean] = static_cast<Real>(sums.prior_mean / s);
    gradient[rho] = static_cast<Real>(sums.prior_width * softplus_slope(phi[rho]) / s);
  }

  ObjectiveSettings settings_;
  const ParameterLayout& layout_;
  ThreadTeam& team_;
  std::uint64_t seed_;
  std::size_t weights_;
  std::size_t priors_ = 0;
  std::vector<Group> groups_;
  std::vector<Sums> sums_;
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
