// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cuda/learner.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include "gradus/core/answers.h"
#include "gradus/core/error.h"
#include "gradus/nn/cuda/kernels.h"
#include "gradus/nn/cuda/pinned_learner.h"
#include "gradus/nn/cuda/time_loop.h"
#include "gradus/nn/device.h"
#include "gradus/nn/learner_state.h"

namespace gradus {
namespace cuda {
namespace {

// In healthy training, per-sequence gradients with respect to the gates are below 1. Half has full
// precision from 6e-5 to 65504, so this scale covers gradients from 6e-8 to 64.
template <typename Operand>
constexpr float kLargestScale = std::is_same_v<Operand, __half> ? 1024 : 1;

// Gradients may explode repeatedly, as on long sequences without a derivative limit, and repeating
// every other step would be expensive. So an overflow lowers the scale that later steps begin with,
// and the scale slowly rises again. At 1, half still holds ordinary gradients, though not in full
// precision.
constexpr float kSmallestKeptScale = 1;
constexpr float kKeptScaleStep = 8;
constexpr std::uint64_t kUpdatesToDouble = 64;

// A step that overflows is repeated with a scale this much smaller. At the smallest scale, the
// square of a gradient could exceed the range of float in the optimiser.
constexpr float kScaleStep = 32;
constexpr float kSmallestScale = 1e-11f;

template <typename T>
void copy(T* to, const T* from, std::size_t count, cudaMemcpyKind kind, const Stream& stream) {
  check(cudaMemcpyAsync(to, from, count * sizeof(T), kind, stream), "copying to or from the GPU");
}

// Only half operands use the time loops; pad their cells to a width that the time loops support.
template <typename Operand>
NetworkSpec padded_spec(NetworkSpec spec) {
  const int width = std::is_same_v<Operand, __half> ? time_loop_width(spec.cells) : 0;
  if (width > 0) spec.cells = width;
  return spec;
}

template <typename Operand>
std::unique_ptr<Objective> make_objective(const ObjectiveSettings& settings,
                                          const ParameterLayout& layout, std::uint64_t seed,
                                          const Training& training, Weights<Operand>& weights) {
  if (settings.kind == ObjectiveKind::kVariational) {
    return make_variational_objective(settings, layout, seed, training, weights);
  }
  const double decay = settings.kind == ObjectiveKind::kL2 ? settings.decay : 0;
  return make_point_objective(decay, training, weights);
}

}  // namespace

template <typename Operand>
CudaLearner<Operand>::CudaLearner(const NetworkSpec& spec, const LearnerSettings& settings,
                                  std::uint64_t seed)
    : layout_(spec),
      padded_(padded_spec<Operand>(spec)),
      settings_(settings),
      weights_(layout_, padded_, stream_),
      pass_(padded_, weights_, settings.place, stream_),
      gradient_(make_zeros<float>(pass_.gradient_room(), stream_)),
      measured_(make_zeros<Measured>(1, stream_)),
      read_(1),
      loss_scale_(kLargestScale<Operand>) {
  check_objective(settings.objective);
  parts_ = trained_parts(settings.objective, layout_);
  const std::vector<double> phi =
      initial_phi(settings.objective, layout_, initial_weights(layout_, settings.initial, seed));
  const std::vector<float> start(phi.begin(), phi.end());

  padding_ = std::make_unique<Padding>(layout_, padded_, weights_.count(), start.size());
  for (Buffer<float>* array : {&phi_, &variances_, &means_, &steps_}) {
    *array = make_zeros<float>(padding_->padded(), stream_);
  }
  upload(start, phi_);
  objective_ =
      make_objective(settings.objective, layout_, seed,
                     {.optimiser = settings.optimiser,
                      .state = {phi_.data(), variances_.data(), means_.data(), steps_.data()},
                      .gradient = gradient_.data(),
                      .measured = measured_.data(),
                      .stream = stream_},
                     weights_);
}

template <typename Operand>
Measurements CudaLearner<Operand>::train(const Batch& batch, const Batch* probe,
                                         const Needs& needs) {
  batch_.send(batch, layout_.spec().data, stream_);
  if (probe) probe_.send(*probe, layout_.spec().data, stream_);
  float scale = loss_scale_;
  queue_step(batch, probe, needs, scale);
  while (read_measured().overflow != 0) {
    if (scale == loss_scale_) {
      ++repeated_updates_;
      loss_scale_ = std::max(loss_scale_ / kKeptScaleStep, kSmallestKeptScale);
    }
    scale /= kScaleStep;
    if (std::is_same_v<Operand, float> || scale < kSmallestScale ||
        !std::isfinite(read_[0].loss_before)) {
      throw std::runtime_error("the gradient of update " + std::to_string(updates_) +
                               " is not finite; its loss is " +
                               to_text(read_[0].loss_before / batch.sequences));
    }
    queue_step(batch, probe, needs, scale);
  }
  if (++updates_ % kUpdatesToDouble == 0) {
    loss_scale_ = std::min(2 * loss_scale_, kLargestScale<Operand>);
  }

  const Measured& all = read_[0];
  squared_length_ = all.squared_length;
  Measurements measured;
  measured.loss_before = all.loss_before / batch.sequences;
  if (needs.loss_after) measured.loss_after = all.loss_after / batch.sequences;
  if (needs.answers_right) {
    Evaluation trained_on;
    count_answers(batch, trained_on);
    measured.answers_right = 1 - trained_on.error();
  }
  if (probe) measured.probe_before = all.probe_before / probe->sequences;
  if (needs.probe_after) measured.probe_after = all.probe_after / probe->sequences;
  if (needs.probe_dot_gradient) measured.probe_dot_gradient = all.probe_dot_gradient;
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
  if (needs.probe_dot_gradient) {
    differentiate_probe(*probe, loss_scale);
  } else if (probe) {
    pass_.forward(probe_, false, 1, &to->probe_before);
  }
  pass_.forward(batch_, true, loss_scale, &to->loss_before);
  if (needs.answers_right) queue_wrong();
  const float scale = 1 / (loss_scale * static_cast<float>(batch.sequences));
  const float largest = static_cast<float>(settings_.largest_derivative()) * loss_scale;
  pass_.backward(batch_, scale, gradient_.data(), {largest, &to->overflow});
  if (needs.probe_dot_gradient) {
    const auto [noise, rho] = objective_->noise();
    add_products(gradient_.data(), probe_gradient_.data(), noise, rho, padded_.parameters(),
                 product_sums_.data(), &to->probe_dot_gradient, stream_);
  }
  objective_->update(needs, needs.loss_after || needs.probe_after);
  if (needs.loss_after) pass_.forward(batch_, false, 1, &to->loss_after);
  if (needs.probe_after) pass_.forward(probe_, false, 1, &to->probe_after);
}

template <typename Operand>
void CudaLearner<Operand>::differentiate_probe(const Batch& probe, float loss_scale) {
  if (probe_gradient_.data() == nullptr) {
    probe_gradient_ = make_zeros<float>(pass_.gradient_room(), stream_);
    product_sums_ = make_zeros<double>(kProductBlocks, stream_);
  }
  Measured* to = measured_.data();
  pass_.forward(probe_, true, loss_scale, &to->probe_before);
  const float scale = 1 / (loss_scale * static_cast<float>(probe.sequences));
  const float largest = static_cast<float>(settings_.largest_derivative()) * loss_scale;
  pass_.backward(probe_, scale, probe_gradient_.data(), {largest, &to->overflow});
}

template <typename Operand>
const Measured& CudaLearner<Operand>::read_measured() {
  copy(read_.data(), measured_.data(), 1, cudaMemcpyDeviceToHost, stream_);
  stream_.wait();
  return read_[0];
}

template <typename Operand>
Evaluation CudaLearner<Operand>::evaluate(const Batch& batch) {
  objective_->use_evaluated();
  batch_.send(batch, layout_.spec().data, stream_);
  pass_.forward(batch_, false, 1, &measured_.data()->loss_before);
  queue_wrong();
  Evaluation evaluation;
  evaluation.total_loss = read_measured().loss_before;
  count_answers(batch, evaluation);
  return evaluation;
}

// Copies which rows of batch_ the last pass got wrong.
template <typename Operand>
void CudaLearner<Operand>::queue_wrong() {
  const int rows = batch_.starts().back();
  wrong_.reserve(rows);
  copy(wrong_.data(), pass_.wrong(), rows, cudaMemcpyDeviceToHost, stream_);
}

// Counts the answers of `batch`, which is in batch_, once the copy of queue_wrong() is complete.
template <typename Operand>
void CudaLearner<Operand>::count_answers(const Batch& batch, Evaluation& evaluation) const {
  const std::vector<int>& starts = batch_.starts();
  AnswerCounter answers;
  answers.start(batch.sequences);
  for (int b = 0; b < batch.sequences; ++b) {
    for (int t = 0; t < batch.lengths[b]; ++t) {
      if (batch.scored[static_cast<std::size_t>(t) * batch.sequences + b] == 0) continue;
      answers.add(b, t, wrong_[starts[t] + b] != 0, evaluation);
    }
  }
}

template <typename Operand>
Vitals CudaLearner<Operand>::vitals() {
  Measured* to = measured_.data();
  add_squares(objective_->use_evaluated(), padded_.parameters(), &to->weight_norm_before, stream_);
  Vitals vitals;
  vitals.weight_norm = std::sqrt(read_measured().weight_norm_before);
  vitals.repeated_updates = repeated_updates_;
  if (updates_ > 0) vitals.gradient_norm = std::sqrt(squared_length_);
  if (settings_.objective.kind == ObjectiveKind::kVariational) {
    objective_->measure_kl();
    vitals.complexity = read_measured().kl_before;
  }
  return vitals;
}

template <typename Operand>
std::vector<float> CudaLearner<Operand>::download(const Buffer<float>& array) const {
  std::vector<float> values(padding_->padded());
  copy(values.data(), array.data(), values.size(), cudaMemcpyDeviceToHost, stream_);
  stream_.wait();
  return padding_->strip(values);
}

template <typename Operand>
void CudaLearner<Operand>::upload(const std::vector<float>& values, Buffer<float>& array) {
  const std::vector<float> padded = padding_->pad(values);
  copy(array.data(), padded.data(), padded.size(), cudaMemcpyHostToDevice, stream_);
  stream_.wait();
}

template <typename Operand>
LearnerState CudaLearner<Operand>::save() const {
  const std::vector<float> phi = download(phi_), variances = download(variances_),
                           means = download(means_), steps = download(steps_);
  LearnerState state = save_state<float>(parts_, {phi, variances, means, steps}, updates_);
  state.loss_scale = loss_scale_;
  return state;
}

template <typename Operand>
void CudaLearner<Operand>::restore(const LearnerState& state) {
  const std::size_t trained = padding_->trained();
  std::vector<float> phi(trained), variances(trained), means(trained), steps(trained);
  restore_state<float>(state, parts_, {phi, variances, means, steps});
  upload(phi, phi_);
  upload(variances, variances_);
  upload(means, means_);
  upload(steps, steps_);
  updates_ = state.updates;
  // A learner without loss scaling saves no scale. If so, begin with the largest.
  loss_scale_ =
      state.loss_scale > 0 ? static_cast<float>(state.loss_scale) : kLargestScale<Operand>;
  weights_.forget();
}

template class CudaLearner<__half>;
template class CudaLearner<float>;

}  // namespace cuda

std::unique_ptr<Learner> make_cuda_learner(const NetworkSpec& spec, const LearnerSettings& settings,
                                           Precision precision, std::uint64_t seed) {
  const int gpu = settings.place ? settings.place->gpu() : 0;
  return std::make_unique<cuda::PinnedLearner>(gpu, [&]() -> std::unique_ptr<Learner> {
    if (precision == Precision::kFp32) {
      return std::make_unique<cuda::CudaLearner<float>>(spec, settings, seed);
    }
    return std::make_unique<cuda::CudaLearner<__half>>(spec, settings, seed);
  });
}

}  // namespace gradus
