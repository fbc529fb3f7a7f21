// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "gradus/core/learner.h"
#include "gradus/nn/cpu/large_pages.h"
#include "gradus/nn/cpu/objective.h"
#include "gradus/nn/cpu/pass.h"
#include "gradus/nn/cpu/rmsprop.h"
#include "gradus/nn/cpu/thread_team.h"
#include "gradus/nn/layout.h"
#include "gradus/nn/learner_settings.h"

namespace gradus {

/// An LSTM trained on the CPU. Results are bit-identical for any number of threads. Real is float,
/// or double for the reference.
template <typename Real>
class CpuLearner final : public Learner {
 public:
  CpuLearner(const NetworkSpec& spec, const LearnerSettings& settings, std::uint64_t seed);

  Measurements train(const Batch& batch, const Batch* probe, const Needs& needs) override;
  Evaluation evaluate(const Batch& batch) override;
  Vitals vitals() override;
  LearnerState save() const override;
  void restore(const LearnerState& state) override;

  const ParameterLayout& layout() const { return layout_; }
  /// All that training changes: the trained numbers phi (Q), the gradient of the objective with
  /// respect to phi in the last update, the optimiser, and the number of updates.
  std::span<const Real> trained() const { return trained_; }
  /// Throws std::logic_error unless `trained` holds Q numbers.
  void set_trained(std::span<const Real> trained);
  std::span<const Real> gradient() const { return gradient_; }
  RmsProp<Real>& optimiser() { return optimiser_; }
  std::uint64_t updates() const { return updates_; }

 private:
  void load(std::span<const Real> weights);
  double loss(const Batch& batch);
  void measure_before(const Batch* probe, const Needs& needs, Measurements& measured);
  void measure_after(const Batch& batch, const Batch* probe, const Needs& needs,
                     Measurements& measured);

  ParameterLayout layout_;
  LearnerSettings settings_;
  ThreadTeam team_;
  std::vector<Slice> parts_;  // of trained_
  std::unique_ptr<Objective<Real>> objective_;
  RmsProp<Real> optimiser_;
  std::unique_ptr<NetworkPass<Real>> pass_;
  bool trained_loaded_ = false;  // pass_ has loaded the current trained_
  Array<Real> trained_;
  Array<Real> gradient_;
  Array<Real> probe_gradient_;  // (P) if a gain asks for it
  std::uint64_t updates_ = 0;
  // Measured after the last update and reused as the "before" values of the next.
  std::optional<double> weight_norm_;
  std::optional<double> kl_;
};

extern template class CpuLearner<float>;
extern template class CpuLearner<double>;

}  // namespace gradus
