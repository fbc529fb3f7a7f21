// SPDX-License-Identifier: Apache-2.0
// Compares the gradient of the loss with central differences, in double.

#include <cmath>

#include <gtest/gtest.h>

#include "gradus/core/random.h"
#include "gradus/nn/cpu/lstm.h"
#include "tests/nn/random_batch.h"

namespace gradus {
namespace {

struct Case {
  int layers;
  OutputKind kind;
};

class Gradient : public testing::TestWithParam<Case> {};

// Random weights, biases included, so that no value of a fresh network (0 or 1) is left.
std::vector<double> scattered_weights(std::size_t size) {
  Random random(7, Purpose::kInitialWeights, 1);
  std::vector<double> weights(size);
  for (double& weight : weights) weight = 0.5 * random.normal();
  return weights;
}

// Central differences with step 1e-5 have an error of about 1e-10 from curvature and of 1e-11 from
// the rounding of a loss near 10. Relative errors are meaningless for entries near zero, so errors
// are relative to the entry or to the root mean square of the gradient, whichever is larger.
TEST_P(Gradient, MatchesFiniteDifferencesTo1e6Relative) {
  const auto [layers, kind] = GetParam();
  const NetworkSpec spec{mixed_data(kind, kind == OutputKind::kSoftmax ? 5 : 4), layers, 6};
  const ParameterLayout layout(spec);
  const Batch batch = random_batch(spec.data, 7, 9, 11);
  ASSERT_GT(batch.lengths.front(), batch.lengths.back()) << "the batch must be ragged";
  std::vector<double> weights = scattered_weights(layout.parameters());

  LstmPass<double> pass(layout);
  pass.forward(batch, weights);
  std::vector<double> gradient(layout.parameters());
  pass.backward(weights, 0.5, gradient);

  double squares = 0;
  for (const double g : gradient) squares += g * g;
  const double typical = std::sqrt(squares / static_cast<double>(gradient.size()));
  ASSERT_GT(typical, 1e-3);
  for (const Slice& slice : layout.slices()) {
    for (std::size_t i = slice.offset; i < slice.offset + slice.size(); ++i) {
      constexpr double kStep = 1e-5;
      const double at = weights[i];
      weights[i] = at + kStep;
      const double above = pass.forward(batch, weights).total_loss;
      weights[i] = at - kStep;
      const double below = pass.forward(batch, weights).total_loss;
      weights[i] = at;
      const double expected = 0.5 * (above - below) / (2 * kStep);
      ASSERT_NEAR(gradient[i], expected, 1e-6 * std::max(std::abs(expected), typical))
          << slice.name << " entry " << i - slice.offset;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Networks, Gradient,
    testing::Values(Case{1, OutputKind::kSoftmax}, Case{1, OutputKind::kSigmoid},
                    Case{3, OutputKind::kSoftmax}, Case{3, OutputKind::kSigmoid}),
    [](const auto& info) {
      return std::string(info.param.kind == OutputKind::kSoftmax ? "Softmax" : "Sigmoid") +
             std::to_string(info.param.layers) + "Layers";
    });

}  // namespace
}  // namespace gradus
