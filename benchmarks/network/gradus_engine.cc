// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/network/engine.h"
#include "gradus/core/error.h"
#include "gradus/nn/cpu/learner.h"

namespace gradus::benchmarks {
namespace {

class GradusEngine final : public Engine {
 public:
  GradusEngine(const Case& c, const Batch& batch)
      : batch_(batch),
        needs_{.loss_after = c.prediction_gain},
        learner_(c.network, settings(c), 1) {}

  void update() override { learner_.train(batch_, nullptr, needs_); }

 private:
  static LearnerSettings settings(const Case& c) {
    LearnerSettings settings;
    settings.objective.kind =
        static_cast<ObjectiveKind>(find_known("objective", c.objective, objective_names()));
    settings.objective.total_sequences = 1e6;
    settings.threads = c.threads;
    return settings;
  }

  Batch batch_;
  Needs needs_;
  CpuLearner<float> learner_;
};

}  // namespace

std::unique_ptr<Engine> make_gradus_engine(const Case& c, const Batch& batch) {
  return std::make_unique<GradusEngine>(c, batch);
}

}  // namespace gradus::benchmarks
