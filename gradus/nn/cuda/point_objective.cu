// SPDX-License-Identifier: Apache-2.0
// Maximum likelihood and L2, as in gradus/nn/cpu/point_objective.cc: phi = theta, and the gradient
// is grad L + decay theta.

#include <stdexcept>

#include "gradus/nn/cuda/objective.h"
#include "gradus/nn/cuda/rmsprop.cuh"
#include "gradus/nn/cuda/update.cuh"

namespace gradus::cuda {
namespace {

struct PointUpdate {
  enum { kGradientNorm, kDot, kSquaredLength, kNormBefore, kNormAfter, kSums };
  static constexpr int kBlocks = 4;

  __device__ bool skips() const { return apply && measured->overflow != 0; }
  __device__ float begin(int) const { return optimiser.scale(measured->squared_length); }

  template <int kCount>
  struct Stretch {
    RmsProp::Parameters<kCount> parameters;
    Numbers<kCount> gradients;
  };
  template <int kCount>
  __device__ Stretch<kCount> load(std::size_t i) const {
    return {optimiser.load<kCount>(i), Numbers<kCount>::load(gradient + i)};
  }

  template <int kCount>
  __device__ Numbers<kCount> update(std::size_t i, Stretch<kCount> stretch, float scale,
                                    double (&sums)[kSums]) const {
#pragma unroll
    for (int n = 0; n < kCount; ++n) {
      const float theta = stretch.parameters.values[n];
      const float data = stretch.gradients[n];
      const float g = data + decay * theta;
      sums[kSquaredLength] += static_cast<double>(g) * g;
      if (!apply) continue;
      optimiser.move(stretch.parameters, n, scale * g);
      if (!measures_signals) continue;
      const float moved = stretch.parameters.values[n];
      sums[kGradientNorm] += static_cast<double>(data) * data;
      sums[kDot] += static_cast<double>(theta) * data;
      sums[kNormBefore] += static_cast<double>(theta) * theta;
      sums[kNormAfter] += static_cast<double>(moved) * moved;
    }
    if (apply) optimiser.store(i, stretch.parameters);
    return stretch.parameters.values;
  }

  __device__ void finish(const double (*of_blocks)[kSums]) const {
    double sums[kSums];
    add_blocks(of_blocks, 0, static_cast<int>(gridDim.x), sums);
    if (threadIdx.x != 0) return;
    measured->gradient_norm = sums[kGradientNorm];
    measured->weights_dot_gradient = sums[kDot];
    measured->squared_length = sums[kSquaredLength];
    measured->weight_norm_before = sums[kNormBefore];
    measured->weight_norm_after = sums[kNormAfter];
  }

  RmsProp optimiser;
  float decay;
  const float* gradient;
  Measured* measured;
  bool apply = true;  // if false, only measure squared_length
  bool measures_signals = false;
};

template <typename Operand>
class PointObjective final : public Objective {
 public:
  PointObjective(double decay, const Training& training, Weights<Operand>& weights)
      : rule_{{training.optimiser, training.state},
              static_cast<float>(decay),
              training.gradient,
              training.measured},
        weights_(weights),
        updater_(weights, training.stream) {}

  void begin_update(std::uint64_t) override { use_evaluated(); }

  // Always writes the forms of the new weights: the next update starts from them.
  void update(const Needs& needs, bool) override {
    PointUpdate rule = rule_;
    if (rule.optimiser.clip > 0) {
      rule.apply = false;
      updater_.launch(rule, false);
      rule.apply = true;
    }
    rule.measures_signals = needs.gradient_norm || needs.weights_dot_gradient || needs.weight_norm;
    updater_.launch(rule, true);
  }

  const float* use_evaluated() override {
    weights_.take(rule_.optimiser.state.parameters);
    return rule_.optimiser.state.parameters;
  }

  void measure_kl() override {
    throw std::logic_error("a network trained without a prior has no KL divergence");
  }

 private:
  PointUpdate rule_;
  Weights<Operand>& weights_;
  Updater<Operand, PointUpdate::kSums> updater_;
};

}  // namespace

template <typename Operand>
std::unique_ptr<Objective> make_point_objective(double decay, const Training& training,
                                                Weights<Operand>& weights) {
  return std::make_unique<PointObjective<Operand>>(decay, training, weights);
}

template std::unique_ptr<Objective> make_point_objective(double, const Training&, Weights<__half>&);
template std::unique_ptr<Objective> make_point_objective(double, const Training&, Weights<float>&);

}  // namespace gradus::cuda
