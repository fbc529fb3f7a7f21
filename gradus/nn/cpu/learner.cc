#include "gradus/nn/cpu/learner.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "gradus/nn/cpu/blas.h"
#include "gradus/nn/learner_state.h"

namespace gradus {
namespace {

// Sequences of a part. It decides the order of additions and so must not depend on the number of
// threads. Small networks run best on small parts, which OpenBLAS multiplies without packing.
int part_size(int cells) {
  return cells <= 128 ? 8 : 16;
}

// Parameters of one job when flat arrays are worked through.
constexpr std::size_t kStretch = 32'768;

template <typename Real>
double length(std::span<const Real> vector) {
  double squares = 0;
  for (const Real x : vector) squares += static_cast<double>(x) * x;
  return std::sqrt(squares);
}

int stretches(std::size_t size) {
  return static_cast<int>((size + kStretch - 1) / kStretch);
}

}  // namespace

template <typename Real>
CpuLearner<Real>::CpuLearner(const NetworkSpec& spec, const LearnerSettings& settings,
                             std::uint64_t seed)
    : layout_(spec),
      settings_(settings),
      team_(settings.threads),
      objective_(make_objective<Real>(settings.objective, layout_, team_, seed)),
      optimiser_(settings.optimiser, objective_->trained()),
      trained_(objective_->trained()),
      gradient_(objective_->trained()) {
  use_one_blas_thread();
  objective_->start(initial_weights(layout_, settings.initial, seed), trained_);
}

template <typename Real>
Measurements CpuLearner<Real>::train(const Batch& batch, const Batch* probe, const Needs& needs) {
  objective_->begin_update(updates_);
  const std::span<const Real> weights = objective_->sample(trained_);
  Measurements measured;
  measure_before(probe, weights, needs, measured);

  const Evaluation before = forward(batch, weights, true);
  measured.loss_before = before.total_loss / batch.sequences;
  objective_->finish_gradient(trained_, gradient_, needs, measured);
  update_trained();
  ++updates_;

  measure_after(batch, probe, needs, measured);
  return measured;
}

template <typename Real>
void CpuLearner<Real>::measure_before(const Batch* probe, std::span<const Real> weights,
                                      const Needs& needs, Measurements& measured) {
  if (probe) measured.probe_before = loss(*probe, weights);
  if (needs.weight_norm) {
    measured.weight_norm_before = weight_norm_ ? *weight_norm_ : objective_->weight_norm(trained_);
  }
  if (needs.kl) measured.kl_before = kl_ ? *kl_ : objective_->kl(trained_);
  weight_norm_.reset();
  kl_.reset();
}

template <typename Real>
void CpuLearner<Real>::measure_after(const Batch& batch, const Batch* probe, const Needs& needs,
                                     Measurements& measured) {
  if (needs.weight_norm) {
    weight_norm_ = objective_->weight_norm(trained_);
    measured.weight_norm_after = *weight_norm_;
  }
  if (needs.kl) {
    kl_ = objective_->kl(trained_);
    measured.kl_after = *kl_;
  }
  if (!needs.loss_after && !probe) return;
  // The noise drawn for this update serves theta' too.
  const std::span<const Real> weights = objective_->sample(trained_);
  if (needs.loss_after) measured.loss_after = loss(batch, weights);
  if (probe) measured.probe_after = loss(*probe, weights);
}

template <typename Real>
void CpuLearner<Real>::set_trained(std::span<const Real> trained) {
  if (trained.size() != trained_.size()) {
    throw std::logic_error("set_trained: " + std::to_string(trained.size()) +
                           " numbers, expected " + std::to_string(trained_.size()));
  }
  std::copy(trained.begin(), trained.end(), trained_.begin());
  weight_norm_.reset();
  kl_.reset();
}

template <typename Real>
Evaluation CpuLearner<Real>::evaluate(const Batch& batch) {
  return forward(batch, objective_->evaluated(trained_), false);
}

template <typename Real>
Vitals CpuLearner<Real>::vitals() {
  Vitals vitals;
  if (updates_ > 0) vitals.gradient_norm = length(std::span<const Real>(gradient_));
  vitals.weight_norm = length(objective_->evaluated(trained_));
  if (settings_.objective.kind == ObjectiveKind::kVariational) {
    vitals.complexity = objective_->kl(trained_);
  }
  return vitals;
}

template <typename Real>
LearnerState CpuLearner<Real>::save() const {
  return save_state<Real>(
      objective_->parts(),
      {trained_, optimiser_.variances(), optimiser_.means(), optimiser_.steps()}, updates_);
}

template <typename Real>
void CpuLearner<Real>::restore(const LearnerState& state) {
  restore_state<Real>(state, objective_->parts(),
                      {trained_, optimiser_.variances(), optimiser_.means(), optimiser_.steps()});
  updates_ = state.updates;
  weight_norm_.reset();
  kl_.reset();
}

template <typename Real>
double CpuLearner<Real>::loss(const Batch& batch, std::span<const Real> weights) {
  return forward(batch, weights, false).total_loss / batch.sequences;
}

template <typename Real>
Evaluation CpuLearner<Real>::forward(const Batch& batch, std::span<const Real> weights,
                                     bool with_gradient) {
  const int size = part_size(layout_.spec().cells);
  const int parts = (batch.sequences + size - 1) / size;
  while (static_cast<int>(parts_.size()) < parts) {
    parts_.push_back(std::make_unique<Part>(layout_));
  }
  const Real scale = Real{1} / static_cast<Real>(batch.sequences);
  team_.run(parts, [&](int k) {
    Part& part = *parts_[k];
    part.batch = slice(batch, k * size, std::min(size, batch.sequences - k * size));
    part.evaluation = part.pass.forward(part.batch, weights);
    if (!with_gradient) return;
    part.gradient.resize(layout_.parameters());
    part.pass.backward(weights, scale, part.gradient);
  });
  Evaluation total;
  for (int k = 0; k < parts; ++k) total += parts_[k]->evaluation;
  if (with_gradient) add_gradients(parts);
  return total;
}

template <typename Real>
void CpuLearner<Real>::add_gradients(int parts) {
  const std::size_t size = layout_.parameters();
  team_.run(stretches(size), [&](int job) {
    const std::size_t first = job * kStretch;
    const std::size_t last = std::min(first + kStretch, size);
    std::copy(parts_[0]->gradient.begin() + first, parts_[0]->gradient.begin() + last,
              gradient_.begin() + first);
    for (int k = 1; k < parts; ++k) {
      const Real* __restrict from = parts_[k]->gradient.data();
      for (std::size_t i = first; i < last; ++i) gradient_[i] += from[i];
    }
  });
}

template <typename Real>
void CpuLearner<Real>::update_trained() {
  Real scale = 1;
  if (settings_.optimiser.clip > 0) {
    const double norm = length(std::span<const Real>(gradient_));
    if (norm > settings_.optimiser.clip) {
      scale = static_cast<Real>(settings_.optimiser.clip / norm);
    }
  }
  const std::size_t size = trained_.size();
  team_.run(stretches(size), [&](int job) {
    const std::size_t first = job * kStretch;
    optimiser_.update(first, std::min(first + kStretch, size), scale, gradient_, trained_);
  });
}

template class CpuLearner<float>;
template class CpuLearner<double>;

}  // namespace gradus
