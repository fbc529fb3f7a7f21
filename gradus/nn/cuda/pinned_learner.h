// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "gradus/core/learner.h"

namespace gradus::cuda {

/// Makes a GPU the current one of the calling thread. CUDA keeps a current GPU per thread.
void use_gpu(int gpu);

/// A learner on one of several GPUs. Every call first makes that GPU the current one, because the
/// thread may have used another before.
class PinnedLearner final : public Learner {
 public:
  PinnedLearner(int gpu, const std::function<std::unique_ptr<Learner>()>& make);
  ~PinnedLearner() override;

  Measurements train(const Batch& batch, const Batch* probe, const Needs& needs) override;
  Evaluation evaluate(const Batch& batch) override;
  Vitals vitals() override;
  LearnerState save() const override;
  void restore(const LearnerState& state) override;

 private:
  Learner& pinned() const;

  int gpu_;
  std::unique_ptr<Learner> learner_;
};

}  // namespace gradus::cuda
