// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gradus/gradus.h"

/// A bigram model as a Learner: row t of a V x V matrix of logits predicts the token after t. It is
/// trained by gradient descent on the softmax loss.
class BigramLearner : public gradus::Learner {
 public:
  BigramLearner(int tokens, double learning_rate);

  /// Throws InputError if `needs` asks for a measurement of variational or L2 training.
  gradus::Measurements train(const gradus::Batch& batch, const gradus::Batch* probe,
                             const gradus::Needs& needs) override;
  gradus::Evaluation evaluate(const gradus::Batch& batch) override;
  gradus::Vitals vitals() override;
  gradus::LearnerState save() const override;
  void restore(const gradus::LearnerState& state) override;

 private:
  std::vector<double> predict(int token) const;
  double mean_loss(const gradus::Batch& batch);
  std::vector<double> gradient(const gradus::Batch& batch) const;

  int tokens_;
  double learning_rate_;
  std::vector<double> logits_;
  std::uint64_t updates_ = 0;
  double gradient_norm_ = gradus::Vitals::kNone;  // of the last update
};
