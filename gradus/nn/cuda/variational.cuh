#pragma once

// gradus/nn/cpu/variational_objective.cc has the equations, in whose terms everything here is
// named. Arithmetic is in double, as there.

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

/// A pair of the prior, with psi's numbers of both.
struct Prior {
  double mean;
  Width width;
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
  __device__ double kl(double prior_width, double count) const {
    const double variance = prior_width * prior_width;
    return (squares / variance - count) / 2 + count * log(prior_width) - log_width;
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

  __device__ float update(std::size_t i, const Common& common, double (&sums)[kSums]) const {
    const Prior its_prior = kOwn ? prior(i) : common.prior;
    const double prior_width = its_prior.width.sigma;
    const double variance = prior_width * prior_width;
    const float mu = phi()[i], rho = phi()[weights + i], eps = noise[i];
    const Width width(rho);
    const double sigma = width.sigma;
    const double offset = mu - its_prior.mean;
    const double kl_mu = offset / variance;
    const double kl_rho = (sigma / variance - 1 / sigma) * width.slope;
    const double data_mu = gradient[i];
    const double data_rho = data_mu * eps * width.slope;
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
    const float new_mu = optimiser.update(i, mu, common.scale * static_cast<float>(g_mu));
    const float new_rho =
        optimiser.update(weights + i, rho, common.scale * static_cast<float>(g_rho));
    if (!again && !measures_kl) return 0;
    const double new_sigma = Width(new_rho).sigma;
    add_moments(new_mu - new_prior.mean, new_sigma, new_prior, sums + kAfter);
    const float weight = static_cast<float>(new_mu + new_sigma * eps);
    if (again) theta[i] = weight;
    return weight;
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
        kl_before += before.kl(old_prior.width.sigma, count);
        kl_after +=
            after.moved(new_prior.mean - old_prior.mean, count).kl(new_prior.width.sigma, count);
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
    return {phi()[mean], Width(phi()[mean + priors]), mean, mean + priors};
  }

  __device__ void add_moments(double offset, double sigma, const Prior& of, double* sums) const {
    if constexpr (kOwn) {
      if (!measures_kl) return;
      sums[0] += Moments{offset, offset * offset + sigma * sigma, log(sigma)}.kl(of.width.sigma, 1);
    } else {
      sums[0] += offset;
      sums[1] += offset * offset + sigma * sigma;
      if (measures_kl) sums[2] += log(sigma);
    }
  }

  // Moves a prior of `count` weights, and adds its gradient's square to `squared_length`.
  __device__ Prior update_prior(const Prior& old, const Moments& moments, double count, float scale,
                                double& squared_length) const {
    const double sigma = old.width.sigma;
    const double variance = sigma * sigma;
    const double g_mean = -moments.offset / variance * share;
    const double g_width = (count - moments.squares / variance) / sigma * old.width.slope * share;
    squared_length += g_mean * g_mean + g_width * g_width;
    if (!apply) return old;
    const auto move = [&](std::size_t number, double g) {
      return optimiser.update(number, phi()[number], scale * static_cast<float>(g));
    };
    const float mean = move(old.mean_number, g_mean);
    const float rho = move(old.width_number, g_width);
    return {mean, Width(rho), old.mean_number, old.width_number};
  }
};

}  // namespace gradus::cuda
