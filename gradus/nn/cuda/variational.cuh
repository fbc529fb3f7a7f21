// SPDX-License-Identifier: Apache-2.0
#pragma once

// gradus/nn/cpu/variational_objective.cc has the equations and defines the names used here. Work
// per weight is in float, like its gradient and the sampled weights. Sums are in double, and so is
// the KL divergence, because its small differences matter.

#include "gradus/nn/cuda/block_sum.cuh"
#include "gradus/nn/cuda/objective.h"
#include "gradus/nn/cuda/rmsprop.cuh"

namespace gradus::cuda {

/// sigma = softplus(rho), and its derivative by rho.
template <typename Real>
struct Width {
  __device__ explicit Width(Real rho) {
    const Real e = exp(-fabs(rho));
    sigma = fmax(rho, Real{0}) + log1p(e);
    slope = (rho >= 0 ? 1 : e) / (1 + e);
  }
  Real sigma, slope;
};

/// theta = mu + sigma eps.
__device__ inline float sampled_weight(float mu, float rho, float eps) {
  return mu + Width<float>(rho).sigma * eps;
}

/// One prior: mean and rho, with derived values.
template <typename Real>
struct Prior {
  __device__ Prior(float its_mean, float its_rho)
      : mean(its_mean), rho(its_rho), width(its_rho), precision(1 / (width.sigma * width.sigma)) {}

  float mean, rho;
  Width<Real> width;
  Real precision;  // 1 / sigma_q^2
};

/// What the KL divergence from one prior needs of many weights. With offset = mu - mu_q, these are
/// the sums of offset, of offset^2 + sigma^2, and of ln sigma.
struct Moments {
  double offset, squares, log_width;

  /// The moments relative to a prior whose mean is larger by `shift`, for `count` weights.
  __device__ Moments moved(double shift, double count) const {
    return {offset - count * shift, squares - 2 * shift * offset + count * shift * shift,
            log_width};
  }
  __device__ double kl(const Prior<double>& prior, double count) const {
    return (squares * prior.precision - count) / 2 + count * log(prior.width.sigma) - log_width;
  }
};

/// Data of an update by variational inference.
struct VariationalTerms {
  RmsProp optimiser;
  std::size_t weights, priors;
  const float* gradient;
  const float* noise;
  float* theta;
  double share;                 // 1 / S
  const int* prior_of_patch;    // used if weights share priors
  int ranges;                   // one per shared prior, or 1 if each weight has its own
  const int* range_patches;     // (ranges + 1) first patch of each range, then the number of all
  const double* range_weights;  // (ranges) weights per range; used if weights share priors
  Measured* measured;
  bool apply = true;  // if false, only measure
  bool again = false;
  bool measures_gradient = false;
};

/// The rule of variational inference for update_kernel(). kOwn: each weight has its own prior. If
/// not kKl, skips the KL divergence and sums only what moves the prior.
template <bool kOwn, bool kKl>
struct VariationalUpdate : VariationalTerms {
  // If kOwn, moments are not needed: the first of each three sums is the KL divergence itself.
  enum {
    kGradientNorm,
    kDot,
    kSquaredLength,
    kBefore,
    kAfter = kBefore + 3,
    kSums = kKl ? kAfter + 3 : kAfter
  };
  static constexpr int kBlocks = kKl ? 2 : 3;

  struct Common {
    float scale;  // from clipping
    Prior<float> prior;
  };

  __device__ bool skips() const { return apply && measured->overflow != 0; }

  __device__ Common begin(int block) const {
    return {optimiser.scale(measured->squared_length),
            prior<float>(kOwn ? 0 : prior_of_patch[block])};
  }

  template <int kCount>
  struct Stretch {
    RmsProp::Parameters<kCount> mu, rho;
    Numbers<kCount> gradients, eps;
  };
  template <int kCount>
  __device__ Stretch<kCount> load(std::size_t i) const {
    return {optimiser.load<kCount>(i), optimiser.load<kCount>(weights + i),
            Numbers<kCount>::load(gradient + i), Numbers<kCount>::load(noise + i)};
  }

  template <int kCount>
  __device__ Numbers<kCount> update(std::size_t i, Stretch<kCount> stretch, const Common& common,
                                    double (&sums)[kSums]) const {
    Numbers<kCount> new_theta;
#pragma unroll
    for (int n = 0; n < kCount; ++n) new_theta[n] = update_one(i + n, n, stretch, common, sums);
    if (apply) {
      optimiser.store(i, stretch.mu);
      optimiser.store(weights + i, stretch.rho);
    }
    if (again) new_theta.store(theta + i);
    return new_theta;
  }

  /// Adds up the sums of the blocks, per shared prior or over all blocks if kOwn, and moves the
  /// shared priors.
  __device__ void finish(const double (*of_blocks)[kSums]) const {
    double gradient_norm = 0, dot = 0, squared_length = 0, kl_before = 0, kl_after = 0;
    const float scale = optimiser.scale(measured->squared_length);
    for (int range = 0; range < ranges; ++range) {
      double sums[kSums];
      add_blocks(of_blocks, range_patches[range], range_patches[range + 1], sums);
      if (threadIdx.x != 0) continue;
      gradient_norm += sums[kGradientNorm];
      dot += sums[kDot];
      squared_length += sums[kSquaredLength];
      const Moments before{sums[kBefore], sums[kBefore + 1], sums[kBefore + 2]};
      Moments after{};
      if constexpr (kKl) after = {sums[kAfter], sums[kAfter + 1], sums[kAfter + 2]};
      if constexpr (kOwn) {
        kl_before += before.offset;
        kl_after += after.offset;
      } else {
        const double count = range_weights[range];
        const Prior<double> old_prior = prior<double>(range);
        const Prior<double> new_prior = update_prior(old_prior, range, before.offset,
                                                     before.squares, count, scale, squared_length);
        const double shift = static_cast<double>(new_prior.mean) - old_prior.mean;
        kl_before += before.kl(old_prior, count);
        kl_after += after.moved(shift, count).kl(new_prior, count);
      }
    }
    if (threadIdx.x != 0) return;
    measured->gradient_norm = gradient_norm;
    measured->kl_dot_gradient = dot;
    measured->squared_length = squared_length;
    measured->kl_before = kl_before;
    measured->kl_after = kl_after;
  }

 private:
  // phi = (mu, rho, prior mu, prior rho)
  __device__ const float* phi() const {
    return optimiser.state.parameters;
  }

  template <typename Real>
  __device__ Prior<Real> prior(std::size_t number) const {
    const float* its = phi() + 2 * weights + number;
    return {its[0], its[priors]};
  }

  // Moves weight i, element n of the stretch. Returns the new theta if `again`, else 0.
  template <int kCount>
  __device__ float update_one(std::size_t i, int n, Stretch<kCount>& stretch, const Common& common,
                              double (&sums)[kSums]) const {
    const Prior<float> its_prior = kOwn ? prior<float>(i) : common.prior;
    const float precision = its_prior.precision;
    const float share_of_kl = static_cast<float>(share);
    const float mu = stretch.mu.values[n];
    const float rho = stretch.rho.values[n];
    const Width<float> width(rho);
    const float sigma = width.sigma;
    const float offset = mu - its_prior.mean;
    const float kl_mu = offset * precision;
    const float kl_rho = (sigma * precision - 1 / sigma) * width.slope;
    const float data_mu = stretch.gradients[n];
    const float data_rho = data_mu * stretch.eps[n] * width.slope;
    const float g_mu = data_mu + kl_mu * share_of_kl;
    const float g_rho = data_rho + kl_rho * share_of_kl;
    sums[kSquaredLength] += g_mu * g_mu + g_rho * g_rho;
    if (measures_gradient) {
      sums[kGradientNorm] += data_mu * data_mu + data_rho * data_rho;
      sums[kDot] += kl_mu * data_mu + kl_rho * data_rho;
    }
    const float squares = offset * offset + sigma * sigma;
    if constexpr (kKl) {
      add_kl(mu, rho, its_prior, sums + kBefore);
    } else if constexpr (!kOwn) {
      sums[kBefore] += offset;
      sums[kBefore + 1] += squares;
    }

    Prior<float> new_prior = its_prior;
    if constexpr (kOwn) {
      new_prior =
          update_prior(its_prior, i, offset, squares, 1.0f, common.scale, sums[kSquaredLength]);
    }
    if (!apply) return 0;
    optimiser.move(stretch.mu, n, common.scale * g_mu);
    optimiser.move(stretch.rho, n, common.scale * g_rho);
    const float new_mu = stretch.mu.values[n];
    const float new_rho = stretch.rho.values[n];
    if constexpr (kKl) add_kl(new_mu, new_rho, new_prior, sums + kAfter);
    return again ? sampled_weight(new_mu, new_rho, stretch.eps[n]) : 0.0f;
  }

  // Adds a weight to the moments or, if kOwn, to the KL divergence.
  __device__ void add_kl(float mu, float rho, const Prior<float>& of, double* sums) const {
    const double offset = static_cast<double>(mu) - of.mean;
    const double sigma = Width<double>(rho).sigma;
    const Moments moments{offset, offset * offset + sigma * sigma, log(sigma)};
    if constexpr (kOwn) {
      sums[0] += moments.kl(Prior<double>(of.mean, of.rho), 1);
    } else {
      sums[0] += moments.offset;
      sums[1] += moments.squares;
      sums[2] += moments.log_width;
    }
  }

  // Moves prior `number`, of `count` weights with these moments, and adds the squared norm of its
  // gradient to `squared_length`.
  template <typename Real>
  __device__ Prior<Real> update_prior(const Prior<Real>& old, std::size_t number, Real offset,
                                      Real squares, Real count, float scale,
                                      double& squared_length) const {
    const Real share_of_kl = static_cast<Real>(share);
    const Real g_mean = -offset * old.precision * share_of_kl;
    const Real g_width =
        (count - squares * old.precision) / old.width.sigma * old.width.slope * share_of_kl;
    squared_length += g_mean * g_mean + g_width * g_width;
    if (!apply) return old;
    const auto move = [&](std::size_t at, Real g) {
      RmsProp::Parameters<1> parameter = optimiser.load<1>(at);
      optimiser.move(parameter, 0, scale * static_cast<float>(g));
      optimiser.store(at, parameter);
      return parameter.values[0];
    };
    const std::size_t mean = 2 * weights + number;
    const float new_mean = move(mean, g_mean);
    return {new_mean, move(mean + priors, g_width)};
  }
};

}  // namespace gradus::cuda
