#include "gradus/nn/cuda/learner.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "gradus/core/error.h"
#include "gradus/nn/cpu/objective.h"
#include "gradus/nn/cuda/rmsprop.h"
#include "gradus/nn/device.h"
#include "gradus/nn/learner_state.h"

namespace gradus {
namespace cuda {
namespace {

// Per-sequence gradients by the gates are below 1 in training as it should be, and half takes them
// down to 6e-5 in full precision: scaled so, from 6e-8 up to 64.
constexpr float kLossScale = 1024;
constexpr float kScaleStep = 32;
constexpr float kSmallestScale = 1e-6f;

template <typename T>
void copy(T* to, const T* from, std::size_t count, cudaMemcpyKind kind, const Stream& stream) {
  check(cudaMemcpyAsync(to, from, count * sizeof(T), kind, stream), "copying");
}

void clear(Buffer<float>& array, std::size_t count, const Stream& stream) {
  check(cudaMemsetAsync(array.data(), 0, count * sizeof(float), stream), "clearing memory");
}

}  // namespace

std::unique_ptr<Objective> make_objective(const ObjectiveSettings& settings,
                                          const ParameterLayout& layout, std::uint64_t seed,
                                          cudaStream_t stream) {
  if (settings.kind == ObjectiveKind::kVariational) {
    return make_variational_objective(settings, layout, seed, stream);
  }
  const double decay = settings.kind == ObjectiveKind::kL2 ? settings.decay : 0;
  return make_point_objective(decay, layout.parameters(), stream);
}

template <typename Operand>
CudaLearner<Operand>::CudaLearner(const NetworkSpec& spec, const LearnerSettings& settings,
                                  std::uint64_t seed)
    : layout_(spec),
      settings_(settings),
      pass_(layout_, stream_),
      dots_(stream_),
      measured_(1),
      read_(1) {
  // The CPU's objective checks the settings, names the parts and starts them.
  ThreadTeam team(1);
  const auto reference = gradus::make_objective<float>(settings.objective, layout_, team, seed);
  parts_ = reference->parts();
  trained_ = reference->trained();
  std::vector<float> start(trained_);
  reference->start(initial_weights(layout_, settings.initial, seed), start);
  objective_ = make_objective(settings.objective, layout_, seed, stream_);

  for (Buffer<float>* array : {&phi_, &gradient_, &variances_, &means_, &steps_}) {
    array->reserve(std::max(trained_, pass_.gradient_room()));
    clear(*array, trained_, stream_);
  }
  copy(phi_.data(), start.data(), trained_, cudaMemcpyHostToDevice, stream_);
  stream_.wait();
}

template <typename Operand>
Measurements CudaLearner<Operand>::train(const Batch& batch, const Batch* probe,
                                         const Needs& needs) {
  batch_.send(batch, layout_.spec().data, stream_);
  if (probe) probe_.send(*probe, layout_.spec().data, stream_);
  float scale = std::is_same_v<Operand, float> ? 1 : kLossScale;
  queue_step(batch, probe, needs, scale);
  while (read_measured().overflow != 0) {
    scale /= kScaleStep;
    if (std::is_same_v<Operand, float> || scale < kSmallestScale ||
        !std::isfinite(read_[0].loss_before)) {
      throw std::runtime_error("the gradient of update " + std::to_string(updates_) +
                               " is not finite; its loss is " +
                               to_text(read_[0].loss_before / batch.sequences));
    }
    queue_step(batch, probe, needs, scale);
  }
  ++updates_;

  const Measured& all = read_[0];
  Measurements measured;
  measured.loss_before = all.loss_before / batch.sequences;
  if (needs.loss_after) measured.loss_after = all.loss_after / batch.sequences;
  if (probe) {
    measured.probe_before = all.probe_before / probe->sequences;
    measured.probe_after = all.probe_after / probe->sequences;
  }
  if (needs.gradient_norm) measured.gradient_norm = all.gradient_norm;
  if (needs.weights_dot_gradient) measured.weights_dot_gradient = all.weights_dot_gradient;
  if (needs.weight_norm) {
    measured.weight_norm_before = all.weight_norm_before;
    measured.weight_norm_after = all.weight_norm_after;
  }
  if (needs.kl) {
    measured.kl_before = all.kl_before;
    measured.kl_after = all.kl_after;
  }
  if (needs.kl_dot_gradient) measured.kl_dot_gradient = all.kl_dot_gradient;
  return measured;
}

template <typename Operand>
void CudaLearner<Operand>::queue_step(const Batch& batch, const Batch* probe, const Needs& needs,
                                      float loss_scale) {
  Measured* to = measured_.data();
  check(cudaMemsetAsync(&to->overflow, 0, sizeof(int), stream_), "clearing a flag");
  objective_->begin_update(updates_);
  use(objective_->sample(phi_.data()));
  if (probe) pass_.forward(probe_, false, 1, &to->probe_before);
  if (needs.weight_norm) objective_->weight_norm(phi_.data(), &to->weight_norm_before);
  if (needs.kl) objective_->kl(phi_.data(), &to->kl_before);

  pass_.forward(batch_, true, loss_scale, &to->loss_before);
  const float scale = 1 / (loss_scale * static_cast<float>(batch.sequences));
  pass_.backward(batch_, scale, gradient_.data(), &to->overflow);
  objective_->finish_gradient(phi_.data(), gradient_.data(), needs, to);
  if (settings_.optimiser.clip > 0) {
    dots_.dot(gradient_.data(), gradient_.data(), trained_, &to->squared_length);
  }
  rmsprop_update(settings_.optimiser, trained_, gradient_.data(), &to->squared_length,
                 &to->overflow, {phi_.data(), variances_.data(), means_.data(), steps_.data()},
                 stream_);
  used_ = nullptr;

  if (needs.weight_norm) objective_->weight_norm(phi_.data(), &to->weight_norm_after);
  if (needs.kl) objective_->kl(phi_.data(), &to->kl_after);
  if (!needs.loss_after && !probe) return;
  // The noise drawn for this update serves theta' too.
  use(objective_->sample(phi_.data()));
  if (needs.loss_after) pass_.forward(batch_, false, 1, &to->loss_after);
  if (probe) pass_.forward(probe_, false, 1, &to->probe_after);
}

// Weights that were sampled anew lie where the old ones lay, so only phi itself is worth keeping.
template <typename Operand>
void CudaLearner<Operand>::use(const float* weights) {
  if (weights == used_) return;
  pass_.use_weights(weights);
  used_ = weights == phi_.data() ? weights : nullptr;
}

template <typename Operand>
const Measured& CudaLearner<Operand>::read_measured() {
  copy(read_.data(), measured_.data(), 1, cudaMemcpyDeviceToHost, stream_);
  stream_.wait();
  return read_[0];
}

template <typename Operand>
Evaluation CudaLearner<Operand>::evaluate(const Batch& batch) {
  use(objective_->evaluated(phi_.data()));
  batch_.send(batch, layout_.spec().data, stream_);
  pass_.forward(batch_, false, 1, &measured_.data()->loss_before);
  const std::vector<int>& starts = batch_.starts();
  wrong_.reserve(starts.back());
  copy(wrong_.data(), pass_.wrong(), starts.back(), cudaMemcpyDeviceToHost, stream_);

  Evaluation evaluation;
  evaluation.total_loss = read_measured().loss_before;
  // A run of scored outputs of one sequence is an answer, wrong where any of it is.
  for (int b = 0; b < batch.sequences; ++b) {
    bool answering = false;
    bool wrong = false;
    for (int t = 0; t < batch.lengths[b]; ++t) {
      const bool scored = batch.scored[static_cast<std::size_t>(t) * batch.sequences + b] != 0;
      if (scored && !answering) {
        ++evaluation.answers;
        wrong = false;
      }
      answering = scored;
      if (!scored) continue;
      ++evaluation.outputs;
      if (wrong_[starts[t] + b] == 0 || wrong) continue;
      wrong = true;
      ++evaluation.wrong_answers;
    }
  }
  return evaluation;
}

template <typename Operand>
Vitals CudaLearner<Operand>::vitals() {
  Measured* to = measured_.data();
  const bool variational = settings_.objective.kind == ObjectiveKind::kVariational;
  const float* weights = objective_->evaluated(phi_.data());
  dots_.dot(gradient_.data(), gradient_.data(), trained_, &to->squared_length);
  dots_.dot(weights, weights, layout_.parameters(), &to->weight_norm_before);
  if (variational) objective_->kl(phi_.data(), &to->kl_before);
  read_measured();
  Vitals vitals;
  if (updates_ > 0) vitals.gradient_norm = std::sqrt(read_[0].squared_length);
  vitals.weight_norm = std::sqrt(read_[0].weight_norm_before);
  if (variational) vitals.complexity = read_[0].kl_before;
  return vitals;
}

template <typename Operand>
std::vector<float> CudaLearner<Operand>::download(const Buffer<float>& array) const {
  std::vector<float> values(trained_);
  copy(values.data(), array.data(), trained_, cudaMemcpyDeviceToHost, stream_);
  stream_.wait();
  return values;
}

template <typename Operand>
LearnerState CudaLearner<Operand>::save() const {
  const std::vector<float> phi = download(phi_), variances = download(variances_),
                           means = download(means_), steps = download(steps_);
  return save_state<float>(parts_, {phi, variances, means, steps}, updates_);
}

template <typename Operand>
void CudaLearner<Operand>::restore(const LearnerState& state) {
  std::vector<float> phi(trained_), variances(trained_), means(trained_), steps(trained_);
  restore_state<float>(state, parts_, {phi, variances, means, steps});
  copy(phi_.data(), phi.data(), trained_, cudaMemcpyHostToDevice, stream_);
  copy(variances_.data(), variances.data(), trained_, cudaMemcpyHostToDevice, stream_);
  copy(means_.data(), means.data(), trained_, cudaMemcpyHostToDevice, stream_);
  copy(steps_.data(), steps.data(), trained_, cudaMemcpyHostToDevice, stream_);
  stream_.wait();
  updates_ = state.updates;
  used_ = nullptr;
}

template class CudaLearner<__half>;
template class CudaLearner<float>;

namespace {

// Why no GPU can be used, or "".
std::string obstacle() {
  int count = 0;
  const cudaError_t result = cudaGetDeviceCount(&count);
  if (result != cudaSuccess) return cudaGetErrorString(result);
  if (count == 0) return "there is no GPU";
  int major = 0;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "asking the GPU");
  if (major < 8) return "the GPU is older than compute capability 8.0 (Ampere)";
  return "";
}

}  // namespace
}  // namespace cuda

std::unique_ptr<Learner> make_cuda_learner(const NetworkSpec& spec, const LearnerSettings& settings,
                                           Precision precision, std::uint64_t seed) {
  const std::string why = cuda::obstacle();
  if (!why.empty()) {
    throw InputError("device is \"cuda\", but this machine has no GPU to use: " + why +
                     "; use device \"cpu\"");
  }
  if (precision == Precision::kFp32) {
    return std::make_unique<cuda::CudaLearner<float>>(spec, settings, seed);
  }
  return std::make_unique<cuda::CudaLearner<__half>>(spec, settings, seed);
}

std::string cuda_description() {
  const std::string why = cuda::obstacle();
  if (!why.empty()) return "none: " + why;
  cudaDeviceProp properties;
  cuda::check(cudaGetDeviceProperties(&properties, 0), "asking the GPU");
  return std::string(properties.name) + ", " + std::to_string(properties.multiProcessorCount) +
         " multiprocessors";
}

}  // namespace gradus
