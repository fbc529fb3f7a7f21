// Maximum likelihood and L2, as in gradus/nn/cpu/point_objective.cc: phi = theta, and the gradient
// is grad L + decay theta.

#include <stdexcept>

#include "gradus/nn/cuda/objective.h"
#include "gradus/nn/cuda/sums.h"

namespace gradus::cuda {
namespace {

constexpr int kThreads = 256;

__global__ void add_decay(float decay, std::size_t count, const float* phi, float* gradient) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < count) gradient[i] += decay * phi[i];
}

class PointObjective final : public Objective {
 public:
  PointObjective(double decay, std::size_t weights, cudaStream_t stream)
      : decay_(static_cast<float>(decay)), weights_(weights), stream_(stream), dots_(stream) {}

  void begin_update(std::uint64_t) override {}
  const float* sample(const float* phi) override { return phi; }
  const float* evaluated(const float* phi) override { return phi; }

  void finish_gradient(const float* phi, float* gradient, const Needs& needs,
                       Measured* measured) override {
    if (needs.gradient_norm) dots_.dot(gradient, gradient, weights_, &measured->gradient_norm);
    if (needs.weights_dot_gradient) {
      dots_.dot(phi, gradient, weights_, &measured->weights_dot_gradient);
    }
    if (decay_ == 0) return;
    const auto blocks = static_cast<unsigned>((weights_ + kThreads - 1) / kThreads);
    add_decay<<<blocks, kThreads, 0, stream_>>>(decay_, weights_, phi, gradient);
    check_launch("weight decay");
  }

  void weight_norm(const float* phi, double* to) override { dots_.dot(phi, phi, weights_, to); }
  void kl(const float*, double*) override {
    throw std::logic_error("a network trained without a prior has no KL divergence");
  }

 private:
  float decay_;
  std::size_t weights_;
  cudaStream_t stream_;
  DotProducts dots_;
};

}  // namespace

std::unique_ptr<Objective> make_point_objective(double decay, std::size_t weights,
                                                cudaStream_t stream) {
  return std::make_unique<PointObjective>(decay, weights, stream);
}

}  // namespace gradus::cuda
