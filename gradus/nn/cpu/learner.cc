// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/learner.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "gradus/nn/cpu/dot.h"
#include "gradus/nn/learner_state.h"

namespace gradus {
namespace {

template <typename Real>
double length(std::span<const Real> vector) {
  return std::sqrt(dot(vector, vector));
}

}  // namespace

template <typename Real>
CpuLearner<Real>::CpuLearner(const NetworkSpec& spec, const LearnerSettings& settings,
                             std::uint64_t seed)
    : layout_(spec),
      settings_(settings),
      team_(settings.threads),
      parts_(trained_parts(settings.objective, layout_)),
      objective_(make_objective<Real>(settings.objective, layout_, team_, seed)),
      optimiser_(settings.optimiser, parts_.back().end()),
      pass_(make_pass<Real>(layout_, team_, settings.largest_derivative())),
      trained_(parts_.back().end()),
      gradient_(parts_.back().end()) {
  const std::vector<double> weights = initial_weights(layout_, settings.initial, seed);
  std::ranges::transform(initial_phi(settings.objective, layout_, weights), trained_.begin(),
                         [](double value) { return static_cast<Real>(value); });
}

template <typename Real>
Measurements CpuLearner<Real>::train(const Batch& batch, const Batch* probe, const Needs& needs) {
  load(objective_->begin_update(updates_, trained_));
  Measurements measured;
  measure_before(probe, needs, measured);

  const std::span<Real> data_gradient = std::span(gradient_).first(layout_.parameters());
  const Evaluation trained_on = pass_->differentiate(batch, data_gradient);
  measured.loss_before = trained_on.total_loss / batch.sequences;
  if (needs.answers_right) measured.answers_right = 1 - trained_on.error();
  if (needs.probe_dot_gradient) {
    measured.probe_dot_gradient =
        objective_->gradient_product(trained_, data_gradient, probe_gradient_);
  }
  const bool losses_after = needs.loss_after || needs.probe_after;
  trained_loaded_ = false;
  const std::span<const Real> moved =
      objective_->update(trained_, gradient_, optimiser_, losses_after, needs, measured);
  ++updates_;

  if (losses_after) load(moved);
  measure_after(batch, probe, needs, measured);
  return measured;
}

template <typename Real>
void CpuLearner<Real>::measure_before(const Batch* probe, const Needs& needs,
                                      Measurements& measured) {
  if (needs.probe_dot_gradient) {
    probe_gradient_.resize(layout_.parameters());
    measured.probe_before =
        pass_->differentiate(*probe, probe_gradient_).total_loss / probe->sequences;
  } else if (probe) {
    measured.probe_before = loss(*probe);
  }
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
  if (needs.loss_after) measured.loss_after = loss(batch);
  if (needs.probe_after) measured.probe_after = loss(*probe);
}

template <typename Real>
void CpuLearner<Real>::set_trained(std::span<const Real> trained) {
  if (trained.size() != trained_.size()) {
    throw std::logic_error("set_trained: " + std::to_string(trained.size()) +
                           " numbers, expected " + std::to_string(trained_.size()));
  }
  std::copy(trained.begin(), trained.end(), trained_.begin());
  trained_loaded_ = false;
  weight_norm_.reset();
  kl_.reset();
}

template <typename Real>
Evaluation CpuLearner<Real>::evaluate(const Batch& batch) {
  load(objective_->evaluated(trained_));
  return pass_->evaluate(batch);
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
      parts_, {trained_, optimiser_.variances(), optimiser_.means(), optimiser_.steps()}, updates_);
}

template <typename Real>
void CpuLearner<Real>::restore(const LearnerState& state) {
  restore_state<Real>(state, parts_,
                      {trained_, optimiser_.variances(), optimiser_.means(), optimiser_.steps()});
  updates_ = state.updates;
  trained_loaded_ = false;
  weight_norm_.reset();
  kl_.reset();
}

template <typename Real>
double CpuLearner<Real>::loss(const Batch& batch) {
  return pass_->evaluate(batch).total_loss / batch.sequences;
}

// The trained numbers are often the weights themselves. If so, the weights loaded for an update's
// last measurement are those of the next update, so skip loading them again.
template <typename Real>
void CpuLearner<Real>::load(std::span<const Real> weights) {
  const bool trained = weights.data() == trained_.data();
  if (trained && trained_loaded_) return;
  pass_->load(weights);
  trained_loaded_ = trained;
}

template class CpuLearner<float>;
template class CpuLearner<double>;

}  // namespace gradus
