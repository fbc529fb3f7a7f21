// SPDX-License-Identifier: Apache-2.0
// The double reference, and what is always computed in double. Compiled with -ffast-math, which
// lets the compiler use the vector versions of exp and log.

#include "gradus/nn/cpu/posterior.h"

#include <algorithm>
#include <cmath>

namespace gradus {
namespace {

inline double softplus_of(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}
inline double slope_of(double x) {
  return 1 / (1 + std::exp(-x));
}

template <bool kOwn, typename Real>
double kl_of(const PosteriorGroup<Real>& group) {
  const double shared_width = softplus_of(group.prior_rho[0]);
  double sum = 0;
  for (std::size_t i = 0; i < group.count; ++i) {
    const double width = kOwn ? softplus_of(group.prior_rho[i]) : shared_width;
    const double sigma = softplus_of(group.rho[i]);
    const double offset = static_cast<double>(group.mu[i]) - group.prior_mu[kOwn ? i : 0];
    sum += (offset * offset + sigma * sigma - width * width) / (2 * width * width) +
           std::log(width / sigma);
  }
  return sum;
}

}  // namespace

double softplus(double x) {
  return softplus_of(x);
}
double softplus_slope(double x) {
  return slope_of(x);
}
void sample_weights(const PosteriorGroup<double>& group, const double* noise, double* theta) {
  for (std::size_t i = 0; i < group.count; ++i) {
    theta[i] = group.mu[i] + softplus_of(group.rho[i]) * noise[i];
  }
}

PosteriorSums posterior_gradient(const PosteriorGroup<double>& group, const double* noise,
                                 double share, const PosteriorGradient<double>& gradient) {
  PosteriorSums sums;
  for (std::size_t i = 0; i < group.count; ++i) {
    const std::size_t prior = group.own_prior ? i : 0;
    const double width = softplus_of(group.prior_rho[prior]);
    const double variance = width * width;
    const double sigma = softplus_of(group.rho[i]);
    const double slope = slope_of(group.rho[i]);
    const double offset = group.mu[i] - group.prior_mu[prior];
    const double kl_mu = offset / variance;
    const double kl_rho = (sigma / variance - 1 / sigma) * slope;
    const double kl_width = (1 - (offset * offset + sigma * sigma) / variance) / width;
    const double data_mu = gradient.mu[i];
    const double data_rho = data_mu * noise[i] * slope;
    sums.prior_mean -= kl_mu;
    sums.prior_width += kl_width;
    sums.gradient_norm += data_mu * data_mu + data_rho * data_rho;
    sums.kl_dot_gradient += kl_mu * data_mu + kl_rho * data_rho;
    gradient.mu[i] = data_mu + kl_mu * share;
    gradient.rho[i] = data_rho + kl_rho * share;
    if (!group.own_prior) continue;
    gradient.prior_mu[i] = -kl_mu * share;
    gradient.prior_rho[i] = kl_width * slope_of(group.prior_rho[i]) * share;
  }
  return sums;
}

template <typename Real>
double posterior_kl(const PosteriorGroup<Real>& group) {
  return group.own_prior ? kl_of<true>(group) : kl_of<false>(group);
}

template double posterior_kl(const PosteriorGroup<float>&);
template double posterior_kl(const PosteriorGroup<double>&);

}  // namespace gradus
