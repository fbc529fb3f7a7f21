// SPDX-License-Identifier: Apache-2.0
#include "bigram_learner.h"

#include <algorithm>
#include <cmath>

namespace {

// Calls visit(place) for every scored output, as an index of the (T, B) arrays of the batch.
template <typename Visit>
void for_each_scored(const gradus::Batch& batch, Visit visit) {
  for (std::size_t place = 0; place < batch.scored.size(); ++place) {
    if (batch.scored[place] != 0) visit(place);
  }
}

double squared_norm(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

}  // namespace

BigramLearner::BigramLearner(int tokens, double learning_rate)
    : tokens_(tokens),
      learning_rate_(learning_rate),
      logits_(static_cast<std::size_t>(tokens) * tokens) {}

std::vector<double> BigramLearner::predict(int token) const {
  const double* row = &logits_[static_cast<std::size_t>(token) * tokens_];
  const double largest = *std::max_element(row, row + tokens_);
  std::vector<double> probabilities(tokens_);
  double sum = 0;
  for (int i = 0; i < tokens_; ++i) sum += probabilities[i] = std::exp(row[i] - largest);
  for (double& p : probabilities) p /= sum;
  return probabilities;
}

gradus::Evaluation BigramLearner::evaluate(const gradus::Batch& batch) {
  gradus::Evaluation evaluation;
  for_each_scored(batch, [&](std::size_t place) {
    const std::vector<double> p = predict(batch.tokens[place]);
    const std::uint32_t target = batch.targets[place];
    evaluation.total_loss -= std::log(p[target]);
    const auto guess = std::max_element(p.begin(), p.end()) - p.begin();
    evaluation.wrong_answers += guess != static_cast<std::ptrdiff_t>(target) ? 1 : 0;
  });
  // Every output is an answer of its own here.
  evaluation.outputs = evaluation.answers = batch.outputs();
  return evaluation;
}

// Measurements are per sequence.
double BigramLearner::mean_loss(const gradus::Batch& batch) {
  return evaluate(batch).total_loss / batch.sequences;
}

std::vector<double> BigramLearner::gradient(const gradus::Batch& batch) const {
  std::vector<double> gradient(logits_.size());
  for_each_scored(batch, [&](std::size_t place) {
    const std::vector<double> p = predict(batch.tokens[place]);
    double* row = &gradient[static_cast<std::size_t>(batch.tokens[place]) * tokens_];
    for (int i = 0; i < tokens_; ++i) row[i] += p[i] / batch.sequences;
    row[batch.targets[place]] -= 1.0 / batch.sequences;
  });
  return gradient;
}

gradus::Measurements BigramLearner::train(const gradus::Batch& batch, const gradus::Batch* probe,
                                          const gradus::Needs& needs) {
  if (needs.weights_dot_gradient || needs.weight_norm || needs.kl || needs.kl_dot_gradient) {
    throw gradus::InputError("a bigram model has no complexity; use one of pg, gpg, spg, tpg, mpg");
  }
  gradus::Measurements measured;
  measured.loss_before = mean_loss(batch);
  if (probe) measured.probe_before = mean_loss(*probe);

  const std::vector<double> step = gradient(batch);
  for (std::size_t i = 0; i < logits_.size(); ++i) logits_[i] -= learning_rate_ * step[i];
  gradient_norm_ = std::sqrt(squared_norm(step));
  ++updates_;

  if (needs.gradient_norm) measured.gradient_norm = squared_norm(step);
  if (needs.loss_after) measured.loss_after = mean_loss(batch);
  if (needs.probe_after) measured.probe_after = mean_loss(*probe);
  return measured;
}

gradus::Vitals BigramLearner::vitals() {
  return {.gradient_norm = gradient_norm_, .weight_norm = std::sqrt(squared_norm(logits_))};
}

gradus::LearnerState BigramLearner::save() const {
  return {.tensors = {{"logits", {tokens_, tokens_}, logits_}}, .updates = updates_};
}

void BigramLearner::restore(const gradus::LearnerState& state) {
  const gradus::LearnerState own = save();
  if (state.tensors.size() != 1 || state.tensors[0].name != "logits" ||
      state.tensors[0].shape != own.tensors[0].shape ||
      !std::holds_alternative<std::vector<double>>(state.tensors[0].values)) {
    throw gradus::InputError("the saved learner is not a bigram model of " +
                             std::to_string(tokens_) + " tokens");
  }
  logits_ = std::get<std::vector<double>>(state.tensors[0].values);
  updates_ = state.updates;
}
