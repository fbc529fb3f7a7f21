// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gradus/core/learner.h"
#include "gradus/nn/cuda/objective.h"
#include "gradus/nn/cuda/padding.h"
#include "gradus/nn/cuda/pass.h"
#include "gradus/nn/cuda/stream.h"
#include "gradus/nn/layout.h"
#include "gradus/nn/learner_settings.h"

namespace gradus::cuda {

/// An LSTM trained on the GPU, on its own stream, so that learners on several host threads can
/// share the GPU. Use a learner from one thread at a time, while its GPU is the current one of
/// that thread. A training step is queued as a whole, and the host waits for it once.
///
/// With half operands, gradients are those of the loss times a scale. If one still overflows,
/// nothing is updated and the step is repeated with a smaller scale.
template <typename Operand>
class CudaLearner final : public Learner {
 public:
  CudaLearner(const NetworkSpec& spec, const LearnerSettings& settings, std::uint64_t seed);

  /// Throws std::runtime_error if the gradient is not finite.
  Measurements train(const Batch& batch, const Batch* probe, const Needs& needs) override;
  Evaluation evaluate(const Batch& batch) override;
  Vitals vitals() override;
  LearnerState save() const override;
  void restore(const LearnerState& state) override;

 private:
  void queue_step(const Batch& batch, const Batch* probe, const Needs& needs, float loss_scale);
  void differentiate_probe(const Batch& probe, float loss_scale);
  const Measured& read_measured();
  void queue_wrong();
  void count_answers(const Batch& batch, Evaluation& evaluation) const;
  std::vector<float> download(const Buffer<float>& array) const;
  void upload(const std::vector<float>& values, Buffer<float>& array);

  ParameterLayout layout_;
  ParameterLayout padded_;  // layout of the arrays in GPU memory
  LearnerSettings settings_;
  Stream stream_;
  Weights<Operand> weights_;
  Pass<Operand> pass_;
  std::vector<Slice> parts_;
  std::unique_ptr<Padding> padding_;
  DeviceBatch batch_;
  DeviceBatch probe_;
  Buffer<float> phi_, variances_, means_, steps_;  // (Q), padded
  Buffer<float> gradient_;                         // (P) gradient of the data loss, padded
  Buffer<float> probe_gradient_;                   // the same of the probe, if a gain asks for it
  Buffer<double> product_sums_;
  Buffer<Measured> measured_;
  PinnedBuffer<Measured> read_;
  PinnedBuffer<unsigned char> wrong_;
  std::unique_ptr<Objective> objective_;
  double squared_length_ = 0;  // squared norm of the last update's gradient
  float loss_scale_;           // scale that the next update begins with
  std::uint64_t updates_ = 0;
  std::int64_t repeated_updates_ = 0;
};

}  // namespace gradus::cuda
