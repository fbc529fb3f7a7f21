// SPDX-License-Identifier: Apache-2.0
#include "tests/nn/backend_suite.h"

#include <cmath>
#include <variant>

namespace gradus {

LearnerSettings settings_for(ObjectiveKind kind, PriorKind prior) {
  LearnerSettings settings;
  settings.objective.kind = kind;
  settings.objective.prior = prior;
  settings.objective.total_sequences = 1000;
  settings.optimiser.learning_rate = 1e-4;
  // Larger than most squared gradients: with less, small steps are ratios of rounding errors.
  settings.optimiser.epsilon = 1e-4;
  return settings;
}

Needs all_needs(ObjectiveKind kind) {
  Needs needs{.loss_after = true,
              .answers_right = true,
              .probe = Probe::kSameTask,
              .probe_after = true,
              .probe_dot_gradient = true,
              .gradient_norm = true};
  if (kind == ObjectiveKind::kVariational) {
    needs.kl = needs.kl_dot_gradient = true;
  } else {
    needs.weight_norm = needs.weights_dot_gradient = true;
  }
  return needs;
}

std::vector<double> numbers(const Tensor& tensor) {
  return std::visit(
      [](const auto& values) { return std::vector<double>(values.begin(), values.end()); },
      tensor.values);
}

LearnerState in_double(LearnerState state) {
  for (Tensor& tensor : state.tensors) tensor.values = numbers(tensor);
  return state;
}

double length(const std::vector<double>& values) {
  double squares = 0;
  for (const double x : values) squares += x * x;
  return std::sqrt(squares);
}

double error(const Tensor& got, const Tensor& expected) {
  std::vector<double> difference = numbers(got);
  const std::vector<double> reference = numbers(expected);
  for (std::size_t i = 0; i < reference.size(); ++i) difference[i] -= reference[i];
  return length(difference) / length(reference);
}

}  // namespace gradus
