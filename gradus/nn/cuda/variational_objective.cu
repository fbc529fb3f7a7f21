// Variational inference: gradus/nn/cpu/variational_objective.cc has the equations, in whose terms
// everything here is named. Arithmetic is in double, as there.

#include <numbers>
#include <stdexcept>
#include <vector>

#include <Random123/philox.h>

#include "gradus/core/random.h"
#include "gradus/nn/cuda/block_sum.cuh"
#include "gradus/nn/cuda/objective.h"
#include "gradus/nn/cuda/sums.h"

namespace gradus::cuda {
namespace {

constexpr int kThreads = 256;
// Weights of a group, which one block works through.
constexpr std::size_t kGroup = 4096;

__device__ double softplus(double x) {
  return fmax(x, 0.0) + log1p(exp(-fabs(x)));
}
__device__ double softplus_slope(double x) {
  return 1 / (1 + exp(-x));
}

// A stretch of weights under one pair of the prior, or, where each has its own, under pairs
// [prior, prior + last - first).
struct Group {
  std::size_t first, last, prior;
};

// What one group's weights add to the gradient of the prior and to what is measured.
struct Sums {
  double *prior_mean, *prior_width, *gradient_norm, *kl_dot_gradient;
};

// phi = (mu, rho, prior mu, prior rho); P weights, `priors` pairs of the prior.
struct Phi {
  const float* data;
  std::size_t weights, priors;
  __device__ const float* mu() const { return data; }
  __device__ const float* rho() const { return data + weights; }
  __device__ const float* prior_mu() const { return data + 2 * weights; }
  __device__ const float* prior_rho() const { return prior_mu() + priors; }
};

// The numbers of gradus/nn/cpu/noise.cc: four from each block of the stream.
__global__ void noise_kernel(std::uint64_t seed, std::uint64_t update, std::size_t count,
                             float* noise) {
  const std::size_t block = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (4 * block >= count) return;
  const r123::Philox4x32::ctr_type counter = {
      {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(Purpose::kWeightNoise) << 24,
       static_cast<std::uint32_t>(update), static_cast<std::uint32_t>(update >> 32)}};
  const r123::Philox4x32::key_type key = {
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  const auto words = r123::Philox4x32()(counter, key);
  for (int pair = 0; pair < 2; ++pair) {
    const double radius = sqrt(-2 * log((words[2 * pair] + 0.5) * 0x1p-32));
    double sine, cosine;
    sincos(words[2 * pair + 1] * (0x1p-32 * 2 * std::numbers::pi), &sine, &cosine);
    const std::size_t at = 4 * block + 2 * pair;
    if (at < count) noise[at] = static_cast<float>(radius * cosine);
    if (at + 1 < count) noise[at + 1] = static_cast<float>(radius * sine);
  }
}

__global__ void sample_kernel(Phi phi, const float* noise, float* theta) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= phi.weights) return;
  theta[i] = static_cast<float>(phi.mu()[i] + softplus(phi.rho()[i]) * noise[i]);
}

template <bool kOwn>
__global__ void kl_kernel(Phi phi, const Group* groups, double* sums) {
  const Group group = groups[blockIdx.x];
  const double shared_width = softplus(phi.prior_rho()[group.prior]);
  double sum = 0;
  for (std::size_t i = group.first + threadIdx.x; i < group.last; i += kThreads) {
    const std::size_t prior = kOwn ? i : group.prior;
    const double width = kOwn ? softplus(phi.prior_rho()[prior]) : shared_width;
    const double sigma = softplus(phi.rho()[i]);
    const double offset = static_cast<double>(phi.mu()[i]) - phi.prior_mu()[prior];
    sum += (offset * offset + sigma * sigma - width * width) / (2 * width * width) +
           log(width / sigma);
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

template <bool kOwn>
__global__ void gradient_kernel(Phi phi, const Group* groups, const float* noise, double share,
                                float* gradient, Sums sums) {
  const Group group = groups[blockIdx.x];
  const double shared_width = softplus(phi.prior_rho()[group.prior]);
  double prior_mean = 0, prior_width = 0, gradient_norm = 0, kl_dot_gradient = 0;
  for (std::size_t i = group.first + threadIdx.x; i < group.last; i += kThreads) {
    const std::size_t prior = kOwn ? i : group.prior;
    const double width = kOwn ? softplus(phi.prior_rho()[prior]) : shared_width;
    const double variance = width * width;
    const double sigma = softplus(phi.rho()[i]);
    const double slope = softplus_slope(phi.rho()[i]);
    const double offset = static_cast<double>(phi.mu()[i]) - phi.prior_mu()[prior];
    const double kl_mu = offset / variance;
    const double kl_rho = (sigma / variance - 1 / sigma) * slope;
    const double kl_width = (1 - (offset * offset + sigma * sigma) / variance) / width;
    const double data_mu = gradient[i];
    const double data_rho = data_mu * noise[i] * slope;
    gradient_norm += data_mu * data_mu + data_rho * data_rho;
    kl_dot_gradient += kl_mu * data_mu + kl_rho * data_rho;
    gradient[i] = static_cast<float>(data_mu + kl_mu * share);
    gradient[phi.weights + i] = static_cast<float>(data_rho + kl_rho * share);
    if (kOwn) {
      float* to_prior = gradient + 2 * phi.weights + i;
      to_prior[0] = static_cast<float>(-kl_mu * share);
      to_prior[phi.priors] =
          static_cast<float>(kl_width * softplus_slope(phi.prior_rho()[i]) * share);
    } else {
      prior_mean -= kl_mu;
      prior_width += kl_width;
    }
  }
  const double totals[] = {block_sum(prior_mean), block_sum(prior_width), block_sum(gradient_norm),
                           block_sum(kl_dot_gradient)};
  if (threadIdx.x != 0) return;
  sums.prior_mean[blockIdx.x] = totals[0];
  sums.prior_width[blockIdx.x] = totals[1];
  sums.gradient_norm[blockIdx.x] = totals[2];
  sums.kl_dot_gradient[blockIdx.x] = totals[3];
}

// One block a prior: adds up its groups, which are groups [firsts[p], firsts[p + 1]).
__global__ void prior_kernel(Phi phi, const int* firsts, double share, Sums sums, float* gradient) {
  const int prior = static_cast<int>(blockIdx.x);
  double mean = 0, width = 0;
  for (int k = firsts[prior] + static_cast<int>(threadIdx.x); k < firsts[prior + 1];
       k += kThreads) {
    mean += sums.prior_mean[k];
    width += sums.prior_width[k];
  }
  mean = block_sum(mean);
  width = block_sum(width);
  if (threadIdx.x != 0) return;
  float* to = gradient + 2 * phi.weights + prior;
  to[0] = static_cast<float>(mean * share);
  to[phi.priors] = static_cast<float>(width * softplus_slope(phi.prior_rho()[prior]) * share);
}

unsigned blocks_for(std::size_t count) {
  return static_cast<unsigned>((count + kThreads - 1) / kThreads);
}

template <typename T>
Buffer<T> on_gpu(const std::vector<T>& values) {
  Buffer<T> buffer(values.size());
  check(cudaMemcpy(buffer.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
        "sending a table");
  return buffer;
}

class VariationalObjective final : public Objective {
 public:
  VariationalObjective(const ObjectiveSettings& settings, const ParameterLayout& layout,
                       std::uint64_t seed, cudaStream_t stream)
      : own_(settings.prior == PriorKind::kWeight),
        at_sample_(settings.evaluate_at_sample),
        share_(1 / settings.total_sequences),
        seed_(seed),
        stream_(stream),
        weights_(layout.parameters()),
        noise_(weights_),
        theta_(weights_) {
    check(cudaMemsetAsync(noise_.data(), 0, weights_ * sizeof(float), stream), "clearing noise");
    make_groups(settings.prior, layout);
  }

  void begin_update(std::uint64_t update) override {
    noise_kernel<<<blocks_for((weights_ + 3) / 4), kThreads, 0, stream_>>>(seed_, update, weights_,
                                                                           noise_.data());
    check_launch("weight noise");
  }

  const float* sample(const float* phi) override {
    sample_kernel<<<blocks_for(weights_), kThreads, 0, stream_>>>(view(phi), noise_.data(),
                                                                  theta_.data());
    check_launch("sampling weights");
    return theta_.data();
  }

  const float* evaluated(const float* phi) override { return at_sample_ ? sample(phi) : phi; }

  void finish_gradient(const float* phi, float* gradient, const Needs& needs,
                       Measured* measured) override {
    const auto kernel = own_ ? gradient_kernel<true> : gradient_kernel<false>;
    const Sums sums{sums_.data(), sums_.data() + count_, sums_.data() + 2 * count_,
                    sums_.data() + 3 * count_};
    kernel<<<count_, kThreads, 0, stream_>>>(view(phi), groups_.data(), noise_.data(), share_,
                                             gradient, sums);
    check_launch("variational gradient");
    if (!own_) {
      prior_kernel<<<static_cast<unsigned>(priors_), kThreads, 0, stream_>>>(
          view(phi), firsts_.data(), share_, sums, gradient);
      check_launch("gradient of the prior");
    }
    if (needs.gradient_norm) {
      add_up(sums.gradient_norm, count_, &measured->gradient_norm, stream_);
    }
    if (needs.kl_dot_gradient) {
      add_up(sums.kl_dot_gradient, count_, &measured->kl_dot_gradient, stream_);
    }
  }

  void weight_norm(const float*, double*) override {
    throw std::logic_error(
        "a network trained by variational inference has no single weight vector");
  }

  void kl(const float* phi, double* to) override {
    const auto kernel = own_ ? kl_kernel<true> : kl_kernel<false>;
    kernel<<<count_, kThreads, 0, stream_>>>(view(phi), groups_.data(), sums_.data());
    check_launch("KL divergence");
    add_up(sums_.data(), count_, to, stream_);
  }

 private:
  Phi view(const float* phi) const { return {phi, weights_, priors_}; }

  // Groups never cross the border between two priors.
  void make_groups(PriorKind kind, const ParameterLayout& layout) {
    std::vector<Group> groups;
    std::vector<int> firsts;
    const auto add = [&](std::size_t first, std::size_t last, std::size_t prior) {
      firsts.push_back(static_cast<int>(groups.size()));
      for (std::size_t at = first; at < last; at += kGroup) {
        groups.push_back({at, std::min(at + kGroup, last), own_ ? at : prior});
      }
    };
    if (kind == PriorKind::kTensor) {
      for (const Slice& slice : layout.slices()) {
        add(slice.offset, slice.offset + slice.size(), priors_++);
      }
    } else {
      add(0, weights_, 0);
      priors_ = own_ ? weights_ : 1;
    }
    count_ = static_cast<unsigned>(groups.size());
    firsts.push_back(static_cast<int>(count_));
    groups_ = on_gpu(groups);
    firsts_ = on_gpu(firsts);
    sums_.reserve(4 * static_cast<std::size_t>(count_));
  }

  bool own_;
  bool at_sample_;
  double share_;
  std::uint64_t seed_;
  cudaStream_t stream_;
  std::size_t weights_;
  std::size_t priors_ = 0;
  unsigned count_ = 0;  // of groups
  Buffer<Group> groups_;
  Buffer<int> firsts_;   // (priors + 1) first group of each prior
  Buffer<double> sums_;  // (4, groups)
  Buffer<float> noise_;  // (P)
  Buffer<float> theta_;  // (P)
};

}  // namespace

std::unique_ptr<Objective> make_variational_objective(const ObjectiveSettings& settings,
                                                      const ParameterLayout& layout,
                                                      std::uint64_t seed, cudaStream_t stream) {
  return std::make_unique<VariationalObjective>(settings, layout, seed, stream);
}

}  // namespace gradus::cuda
