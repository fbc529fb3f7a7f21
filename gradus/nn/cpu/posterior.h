// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace gradus {

/// A group of weights under a diagonal Gaussian posterior and its prior, as pointers to the group's
/// first number of each kind. variational_objective.cc has the equations. Real is float for the
/// vectorised code, or double for the reference.
template <typename Real>
struct PosteriorGroup {
  std::size_t count = 0;
  bool own_prior = false;  ///< true: each weight has its own prior; false: all share one
  const Real* mu = nullptr;
  const Real* rho = nullptr;
  const Real* prior_mu = nullptr;
  const Real* prior_rho = nullptr;
};

/// Destinations of the gradients. Those of the prior are written only if each weight has its own.
template <typename Real>
struct PosteriorGradient {
  Real* mu = nullptr;  ///< on entry the gradient of the data loss with respect to the weights
  Real* rho = nullptr;
  Real* prior_mu = nullptr;
  Real* prior_rho = nullptr;
};

/// A group's contribution to the gradient of a shared prior and to the measurements.
struct PosteriorSums {
  double prior_mean = 0;   ///< dKL/dmu_q
  double prior_width = 0;  ///< dKL/dsigma_q
  double gradient_norm = 0;
  double kl_dot_gradient = 0;
  double kl = 0;
  double product = 0;  ///< of two gradients
};

/// theta = mu + softplus(rho) noise.
void sample_weights(const PosteriorGroup<float>& group, const float* noise, float* theta);
void sample_weights(const PosteriorGroup<double>& group, const double* noise, double* theta);

/// Writes the gradient of L + share * KL. `noise` must be the noise that theta was sampled with.
PosteriorSums posterior_gradient(const PosteriorGroup<float>& group, const float* noise,
                                 double share, const PosteriorGradient<float>& gradient);
PosteriorSums posterior_gradient(const PosteriorGroup<double>& group, const double* noise,
                                 double share, const PosteriorGradient<double>& gradient);

/// KL(posterior | prior), computed in double for either type, because complexity gain is a small
/// difference of two such values.
template <typename Real>
double posterior_kl(const PosteriorGroup<Real>& group);

/// softplus(x) = log(1 + exp(x)) without overflow, and its derivative.
double softplus(double x);
double softplus_slope(double x);

}  // namespace gradus
