#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gradus/core/learner.h"
#include "gradus/nn/cpu/lstm.h"
#include "gradus/nn/cpu/objective.h"
#include "gradus/nn/cpu/rmsprop.h"
#include "gradus/nn/cpu/thread_team.h"
#include "gradus/nn/layout.h"
#include "gradus/nn/learner_settings.h"

namespace gradus {

/// An LSTM trained on the CPU. A batch is worked on in parts of a fixed number of sequences, which
/// threads share out, and their losses and gradients are added in the order of the parts: results
/// are the same bits whatever the number of threads. Real is float, or double to check against.
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
  const Objective<Real>& objective() const { return *objective_; }
  /// What is trained (Q), the gradient of the objective by it in the last update, the optimiser,
  /// and the number of updates: all that training changes.
  std::span<const Real> trained() const { return trained_; }
  /// REQUIRES Q numbers.
  void set_trained(std::span<const Real> trained);
  std::span<const Real> gradient() const { return gradient_; }
  RmsProp<Real>& optimiser() { return optimiser_; }
  std::uint64_t updates() const { return updates_; }

 private:
  struct Part {
    explicit Part(const ParameterLayout& layout) : pass(layout) {}
    LstmPass<Real> pass;
    Batch batch;
    Evaluation evaluation;
    std::vector<Real> gradient;  // (P)
  };

  Evaluation forward(const Batch& batch, std::span<const Real> weights, bool with_gradient);
  void add_gradients(int parts);
  void update_trained();
  double loss(const Batch& batch, std::span<const Real> weights);
  void measure_before(const Batch* probe, std::span<const Real> weights, const Needs& needs,
                      Measurements& measured);
  void measure_after(const Batch& batch, const Batch* probe, const Needs& needs,
                     Measurements& measured);

  ParameterLayout layout_;
  LearnerSettings settings_;
  ThreadTeam team_;
  std::unique_ptr<Objective<Real>> objective_;
  RmsProp<Real> optimiser_;
  std::vector<Real> trained_;
  std::vector<Real> gradient_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::uint64_t updates_ = 0;
  // Measured after the last update, they are what comes before the next.
  std::optional<double> weight_norm_;
  std::optional<double> kl_;
};

extern template class CpuLearner<float>;
extern template class CpuLearner<double>;

}  // namespace gradus
