// SPDX-License-Identifier: Apache-2.0
// Variational inference, as in gradus/nn/cpu/variational_objective.cc.

#include <vector>

#include "gradus/nn/cuda/noise.cuh"
#include "gradus/nn/cuda/update.cuh"
#include "gradus/nn/cuda/variational.cuh"

namespace gradus::cuda {
namespace {

// Samples theta = mu + sigma eps and writes its forms, in one pass. If `fresh`, draws eps first.
template <typename Operand>
__global__ void __launch_bounds__(kPatchThreads)
    sample_kernel(const Patch<Operand>* patches, const float* mu, const float* rho, bool fresh,
                  std::uint64_t seed, std::uint64_t update, float* noise, float* theta) {
  __shared__ PatchForms<Operand> forms;
  const Patch<Operand> patch = patches[blockIdx.x];
  for_stretches(patch, [&]<int kCount>(int k) {
    const std::size_t i = weight_number(patch, k);
    Numbers<kCount> eps;
    if (fresh) {
      // Each block of the random stream gives four numbers.
      const std::size_t number = noise_number(patch, k);
      const Numbers<4> drawn = weight_noise(seed, update, static_cast<std::uint32_t>(number / 4));
#pragma unroll
      for (int n = 0; n < kCount; ++n) eps[n] = drawn[kCount == 4 ? n : number % 4];
      eps.store(noise + i);
    } else {
      eps = Numbers<kCount>::load(noise + i);
    }
    const auto its_mu = Numbers<kCount>::load(mu + i);
    const auto its_rho = Numbers<kCount>::load(rho + i);
    Numbers<kCount> weights;
#pragma unroll
    for (int n = 0; n < kCount; ++n) weights[n] = sampled_weight(its_mu[n], its_rho[n], eps[n]);
    weights.store(theta + i);
    forms.put(k, weights);
  });
  forms.store(patch);
}

template <typename Operand, bool kOwn>
class VariationalObjective final : public Objective {
 public:
  VariationalObjective(const ObjectiveSettings& settings, const ParameterLayout& layout,
                       std::uint64_t seed, const Training& training, Weights<Operand>& weights)
      : at_sample_(settings.evaluate_at_sample),
        seed_(seed),
        stream_(training.stream),
        weights_(weights),
        noise_(make_zeros<float>(weights.count(), stream_)),
        theta_(make_zeros<float>(weights.count(), stream_)),
        terms_{.optimiser = {training.optimiser, training.state},
               .weights = weights.count(),
               .priors = weights.count(),
               .gradient = training.gradient,
               .noise = noise_.data(),
               .theta = theta_.data(),
               .share = 1 / settings.total_sequences,
               .measured = training.measured},
        updater_(weights, training.stream) {
    share_priors(settings.prior, layout);
  }

  void begin_update(std::uint64_t update) override { sample(true, update); }

  Noise noise() const override { return {noise_.data(), phi() + terms_.weights}; }

  void update(const Needs& needs, bool again) override {
    VariationalTerms terms = terms_;
    if (terms.optimiser.clip > 0) {
      terms.apply = false;
      launch<false>(terms);
    }
    terms.apply = true;
    terms.again = again;
    terms.measures_gradient = needs.gradient_norm || needs.kl_dot_gradient;
    needs.kl ? launch<true>(terms) : launch<false>(terms);
  }

  const float* use_evaluated() override {
    if (at_sample_) {
      sample(false, 0);
      return theta_.data();
    }
    weights_.take(phi());
    return phi();
  }

  void measure_kl() override {
    VariationalTerms terms = terms_;
    terms.apply = false;
    launch<true>(terms);
  }

 private:
  const float* phi() const { return terms_.optimiser.state.parameters; }

  template <bool kKl>
  void launch(const VariationalTerms& terms) {
    updater_.launch(VariationalUpdate<kOwn, kKl>{terms}, terms.again);
  }

  void sample(bool fresh, std::uint64_t update) {
    sample_kernel<<<weights_.patch_count(), kPatchThreads, 0, stream_>>>(
        weights_.patches(), phi(), phi() + terms_.weights, fresh, seed_, update, noise_.data(),
        theta_.data());
    check_launch("sampling weights");
    weights_.taken(theta_.data());
  }

  // Assigns patches to priors. A patch belongs to one slice, so it has one prior.
  void share_priors(PriorKind kind, const ParameterLayout& layout) {
    std::vector<int> patches = {0, static_cast<int>(weights_.patch_count())};
    std::vector<double> counts = {static_cast<double>(layout.parameters())};
    if (kind == PriorKind::kTensor) {
      patches = weights_.first_patches();
      counts.clear();
      for (const Slice& slice : layout.slices())
        counts.push_back(static_cast<double>(slice.size()));
    }
    std::vector<int> prior_of_patch;
    for (std::size_t prior = 0; prior < counts.size(); ++prior) {
      prior_of_patch.resize(patches[prior + 1], static_cast<int>(prior));
    }
    if (!kOwn) terms_.priors = counts.size();
    prior_of_patch_ = on_gpu(prior_of_patch);
    range_patches_ = on_gpu(patches);
    range_weights_ = on_gpu(counts);
    terms_.prior_of_patch = prior_of_patch_.data();
    terms_.ranges = static_cast<int>(counts.size());
    terms_.range_patches = range_patches_.data();
    terms_.range_weights = range_weights_.data();
  }

  bool at_sample_;
  std::uint64_t seed_;
  cudaStream_t stream_;
  Weights<Operand>& weights_;
  Buffer<float> noise_;  // (P), padded
  Buffer<float> theta_;  // (P), padded
  Buffer<int> prior_of_patch_, range_patches_;
  Buffer<double> range_weights_;
  VariationalTerms terms_;
  Updater<Operand, VariationalUpdate<kOwn, true>::kSums> updater_;
};

}  // namespace

template <typename Operand>
std::unique_ptr<Objective> make_variational_objective(const ObjectiveSettings& settings,
                                                      const ParameterLayout& layout,
                                                      std::uint64_t seed, const Training& training,
                                                      Weights<Operand>& weights) {
  if (settings.prior == PriorKind::kWeight) {
    return std::make_unique<VariationalObjective<Operand, true>>(settings, layout, seed, training,
                                                                 weights);
  }
  return std::make_unique<VariationalObjective<Operand, false>>(settings, layout, seed, training,
                                                                weights);
}

template std::unique_ptr<Objective> make_variational_objective(const ObjectiveSettings&,
                                                               const ParameterLayout&,
                                                               std::uint64_t, const Training&,
                                                               Weights<__half>&);
template std::unique_ptr<Objective> make_variational_objective(const ObjectiveSettings&,
                                                               const ParameterLayout&,
                                                               std::uint64_t, const Training&,
                                                               Weights<float>&);

}  // namespace gradus::cuda
