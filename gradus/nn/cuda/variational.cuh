#pragma once

// gradus/nn/cpu/variational_objective.cc has the equations, in whose terms everything here is
// named. Arithmetic is in double, as there, but for the sampled weights, which are float there too.

#include "gradus/nn/cuda/block_sum.cuh"
#include "gradus/nn/cuda/objective.h"
#include "gradus/nn/cuda/rmsprop.cuh"

namespace gradus::cuda {

/// sigma = softplus(rho), and its derivative by rho.
struct Width {
  __device__ explicit Width(double rho) {
    const double e = exp(-fabs(rho));
    sigma = fmax(rho, 0.0) + log1p(e);
    slope = (rho >= 0 ? 1.0 : e) / (1 + e);
  }
  double sigma, slope;
};

/// theta = mu + sigma eps.
__device__ inline float sampled_weight(float mu, float rho, float eps) {
  const float sigma = fmaxf(rho, 0.0f) + log1pf(expf(-fabsf(rho)));
  return mu + sigma * eps;
}

/// A pair of the prior, with psi's numbers of both.
struct Prior {
  __device__ Prior(double its_mean, double rho, std::size_t number_of_mean,
                   std::size_t number_of_width)
      : mean(its_mean),
        width(rho),
        precision(1 / (width.sigma * width.sigma)),
        mean_number(number_of_mean),
        width_number(number_of_width) {}

  double mean;
  Width width;
  double precision;  // 1 / sigma_q^2
  std::size_t mean_number, width_number;
};

/// What the KL divergence from one prior takes of many weights: sums of mu - mu_q, of its square
/// and sigma's, and of ln sigma.
struct Moments {
  double offset, squares, log_width;

  /// The same by a prior whose mean is larger by `shift`, for `count` weights.
  __device__ Moments moved(double shift, double count) const {
    return {offset - count * shift, squares - 2 * shift * offset + count * shift * shift,
            log_width};
  }
  __device__ double kl(const Prior& prior, double count) const {
    return (squares * prior.precision - count) / 2 + count * log(prior.width.sigma) - log_width;
  }
};

/// The rule of variational inference for update_kernel(). kOwn: each weight has a prior of its own.
template <bool kOwn>
struct VariationalUpdate {
  // Own priors have no use for the moments; the first of three is then the KL divergence itself.
  enum { kGradientNorm, kDot, kSquaredLength, kBefore, kAfter = kBefore + 3, kSums = kAfter + 3 };

  struct Common {
    float scale;  // by clipping
    Prior prior;
  };

  __device__ bool skips() const { return apply && measured->overflow != 0; }

  __device__ Common begin(int block) const {
    return {optimiser.scale(measured->squared_length), prior(kOwn ? 0 : prior_of_patch[block])};
  }

  struct Weight {
    RmsProp::Parameter mu, rho;
    float gradient, eps;
  };
  __device__ Weight load(std::size_t i) const {
    return {optimiser.load(i), optimiser.load(weights + i), gradient[i], noise[i]};
  }

  __device__ float update(std::size_t i, const Weight& weight, const Common& common,
                          double (&sums)[kSums]) const {
    const Prior its_prior = kOwn ? prior(i) : common.prior;
    const double precision = its_prior.precision;
    const Width width(weight.rho.value);
    const double sigma = width.sigma;
    const double offset = weight.mu.value - its_prior.mean;
    const double kl_mu = offset * precision;
    const double kl_rho = (sigma * precision - 1 / sigma) * width.slope;
    const double data_mu = weight.gradient;
    const double data_rho = data_mu * weight.eps * width.slope;
    const double g_mu = data_mu + kl_mu * share;
    const double g_rho = data_rho + kl_rho * share;
    sums[kGradientNorm] += data_mu * data_mu + data_rho * data_rho;
    sums[kDot] += kl_mu * data_mu + kl_rho * data_rho;
    sums[kSquaredLength] += g_mu * g_mu + g_rho * g_rho;
    add_moments(offset, sigma, its_prior, sums + kBefore);

    Prior new_prior = its_prior;
    if constexpr (kOwn) {
      const Moments own{offset, offset * offset + sigma * sigma, 0};
      new_prior = update_prior(its_prior, own, 1, common.scale, sums[kSquaredLength]);
    }
    if (!apply) return 0;
    const float new_mu = optimiser.update(i, weight.mu, common.scale * static_cast<float>(g_mu));
    const float new_rho =
        optimiser.update(weights + i, weight.rho, common.scale * static_cast<float>(g_rho));
    if (measures_kl) {
      add_moments(new_mu - new_prior.mean, Width(new_rho).sigma, new_prior, sums + kAfter);
    }
    if (!again) return 0;
    const float new_theta = sampled_weight(new_mu, new_rho, weight.eps);
    theta[i] = new_theta;
    return new_theta;
  }

  /// Adds up the blocks of each prior, or all where weights have their own, and moves the priors
  /// that weights share.
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
      if constexpr (kOwn) {
        kl_before += sums[kBefore];
        kl_after += sums[kAfter];
      } else {
        const double count = range_weights[range];
        const Prior old_prior = prior(range);
        const Moments before{sums[kBefore], sums[kBefore + 1], sums[kBefore + 2]};
        const Moments after{sums[kAfter], sums[kAfter + 1], sums[kAfter + 2]};
        const Prior new_prior = update_prior(old_prior, before, count, scale, squared_length);
        kl_before += before.kl(old_prior, count);
        kl_after += after.moved(new_prior.mean - old_prior.mean, count).kl(new_prior, count);
      }
    }
    if (threadIdx.x != 0) return;
    measured->gradient_norm = gradient_norm;
    measured->kl_dot_gradient = dot;
    measured->squared_length = squared_length;
    measured->kl_before = kl_before;
    measured->kl_after = kl_after;
  }

  RmsProp optimiser;
  std::size_t weights, priors;
  const float* gradient;
  const float* noise;
  float* theta;
  double share;               // 1 / S
  const int* prior_of_patch;  // these four: where weights share priors
  int ranges;
  const int* range_patches;
  const double* range_weights;
  Measured* measured;
  bool apply = true;  // or only measure
  bool again = false;
  bool measures_kl = false;

 private:
  // phi = (mu, rho, prior mu, prior rho)
  __device__ const float* phi() const { return optimiser.state.parameters; }

  __device__ Prior prior(std::size_t number) const {
    const std::size_t mean = 2 * weights + number;
    return {phi()[mean], phi()[mean + priors], mean, mean + priors};
  }

  __device__ void add_moments(double offset, double sigma, const Prior& of, double* sums) const {
    if constexpr (kOwn) {
      if (!measures_kl) return;
      sums[0] += Moments{offset, offset * offset + sigma * sigma, log(sigma)}.kl(of, 1);
    } else {
      sums[0] += offset;
      sums[1] += offset * offset + sigma * sigma;
      if (measures_kl) sums[2] += log(sigma);
    }
  }

  // Moves a prior of `count` weights, and adds its gradient's square to `squared_length`.
  __device__ Prior update_prior(const Prior& old, const Moments& moments, double count, float scale,
                                double& squared_length) const {
    const double g_mean = -moments.offset * old.precision * share;
    const double g_width =
        (count - moments.squares * old.precision) / old.width.sigma * old.width.slope * share;
    squared_length += g_mean * g_mean + g_width * g_width;
    if (!apply) return old;
    const auto move = [&](std::size_t number, double g) {
      return optimiser.update(number, optimiser.load(number), scale * static_cast<float>(g));
    };
    const float mean = move(old.mean_number, g_mean);
    const float rho = move(old.width_number, g_width);
    return {mean, rho, old.mean_number, old.width_number};
  }
};

}  // namespace gradus::cuda
