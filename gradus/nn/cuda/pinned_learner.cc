// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cuda/pinned_learner.h"

#include "gradus/nn/cuda/check.h"

namespace gradus::cuda {

void use_gpu(int gpu) {
  check(cudaSetDevice(gpu), "choosing a GPU");
}

PinnedLearner::PinnedLearner(int gpu, const std::function<std::unique_ptr<Learner>()>& make)
    : gpu_(gpu) {
  use_gpu(gpu_);
  learner_ = make();
}

PinnedLearner::~PinnedLearner() {
  // A failure here cannot be handled.
  static_cast<void>(cudaSetDevice(gpu_));
  learner_.reset();
}

Learner& PinnedLearner::pinned() const {
  use_gpu(gpu_);
  return *learner_;
}

Measurements PinnedLearner::train(const Batch& batch, const Batch* probe, const Needs& needs) {
  return pinned().train(batch, probe, needs);
}

Evaluation PinnedLearner::evaluate(const Batch& batch) {
  return pinned().evaluate(batch);
}

Vitals PinnedLearner::vitals() {
  return pinned().vitals();
}

LearnerState PinnedLearner::save() const {
  return pinned().save();
}

void PinnedLearner::restore(const LearnerState& state) {
  pinned().restore(state);
}

}  // namespace gradus::cuda
