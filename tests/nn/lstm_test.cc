// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/lstm.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/nn/random_batch.h"

namespace gradus {
namespace {

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

// One cell, one input bit, one sigmoid output and two steps, worked by hand from the equations.
TEST(LstmPass, FollowsTheEquationsOnOneCell) {
  const NetworkSpec spec{{{.tokens = 0, .bits = 1, .reals = 0}, {OutputKind::kSigmoid, 1}}, 1, 1};
  const ParameterLayout layout(spec);
  // input (i f g o), recurrent, bias, output weight, output bias
  const std::vector<double> weights = {0.5, -0.3, 0.8, 0.2, 0.1,  0.4, -0.6,
                                       0.7, 0.0,  1.0, 0.1, -0.2, 1.5, -0.1};
  Sequence sequence;
  sequence.bits = {1, 0};
  sequence.scored = {0, 1};
  sequence.targets = {0, 1};
  const Batch batch = make_batch(std::vector{sequence}, spec.data);

  const double c0 = logistic(0.5) * std::tanh(0.9);
  const double h0 = logistic(0.0) * std::tanh(c0);
  const double c1 = logistic(0.4 * h0 + 1) * c0 + logistic(0.1 * h0) * std::tanh(-0.6 * h0 + 0.1);
  const double h1 = logistic(0.7 * h0 - 0.2) * std::tanh(c1);
  const double p = logistic(1.5 * h1 - 0.1);

  LstmPass<double> pass(layout);
  const Evaluation evaluation = pass.forward(batch, weights);
  EXPECT_NEAR(evaluation.total_loss, -std::log(p), 1e-14);
  EXPECT_EQ(evaluation.outputs, 1);
}

// With all weights zero every output is a fair guess: log 2 per bit, log O per token.
TEST(LstmPass, GuessesFairlyWithZeroWeights) {
  for (const OutputKind kind : {OutputKind::kSigmoid, OutputKind::kSoftmax}) {
    const NetworkSpec spec{mixed_data(kind, 5), 2, 4};
    const ParameterLayout layout(spec);
    const std::vector<double> weights(layout.parameters(), 0.0);
    LstmPass<double> pass(layout);
    const Evaluation evaluation = pass.forward(random_batch(spec.data, 6, 8, 3), weights);
    const double fair = kind == OutputKind::kSigmoid ? 5 * std::log(2) : std::log(5);
    EXPECT_NEAR(evaluation.loss_per_output(), fair, 1e-14);
  }
}

TEST(LstmPass, GivesABatchTheSumOfItsSequences) {
  for (const OutputKind kind : {OutputKind::kSigmoid, OutputKind::kSoftmax}) {
    const NetworkSpec spec{mixed_data(kind, 4), 2, 5};
    const ParameterLayout layout(spec);
    const std::vector<double> weights = initial_weights(layout, {.range = 0.7}, 5);
    const std::vector<Sequence> sequences = random_sequences(spec.data, 9, 12, 17);

    LstmPass<double> pass(layout);
    const Batch batch = make_batch(sequences, spec.data);
    const Evaluation together = pass.forward(batch, weights);
    std::vector<double> gradient(layout.parameters());
    pass.backward(weights, 1, gradient);

    Evaluation sum;
    std::vector<double> gradient_sum(layout.parameters()), one(layout.parameters());
    for (const Sequence& sequence : sequences) {
      const Batch alone = make_batch(std::vector{sequence}, spec.data);
      sum += pass.forward(alone, weights);
      pass.backward(weights, 1, one);
      for (std::size_t i = 0; i < one.size(); ++i) gradient_sum[i] += one[i];
    }
    EXPECT_NEAR(together.total_loss, sum.total_loss, 1e-12 * sum.total_loss);
    EXPECT_EQ(together.outputs, sum.outputs);
    EXPECT_EQ(together.answers, sum.answers);
    EXPECT_EQ(together.wrong_answers, sum.wrong_answers);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      ASSERT_NEAR(gradient[i], gradient_sum[i], 1e-12) << "parameter " << i;
    }
  }
}

// Two answers in one sequence, of two outputs and of one. An answer with one wrong output counts as
// wrong once.
TEST(LstmPass, CountsARunOfScoredOutputsAsOneAnswer) {
  const NetworkSpec spec{{{.tokens = 2, .bits = 0, .reals = 0}, {OutputKind::kSoftmax, 2}}, 1, 1};
  const ParameterLayout layout(spec);
  // Only the output bias is not zero: the network always answers token 1.
  std::vector<double> weights(layout.parameters(), 0.0);
  weights.back() = 3;
  Sequence sequence;
  sequence.tokens = {0, 1, 0, 1, 0};
  sequence.scored = {1, 1, 0, 1, 0};
  sequence.targets = {0, 0, 0, 1, 0};
  LstmPass<double> pass(layout);
  const Evaluation evaluation = pass.forward(make_batch(std::vector{sequence}, spec.data), weights);
  EXPECT_EQ(evaluation.outputs, 3);
  EXPECT_EQ(evaluation.answers, 2);
  EXPECT_EQ(evaluation.wrong_answers, 1);
}

// Logits of +-1000 overflow exp in any precision, but the loss is still exact.
TEST(LstmPass, SurvivesHugeLogits) {
  for (const OutputKind kind : {OutputKind::kSigmoid, OutputKind::kSoftmax}) {
    const NetworkSpec spec{{{.tokens = 2, .bits = 0, .reals = 0}, {kind, 2}}, 1, 1};
    const ParameterLayout layout(spec);
    std::vector<float> weights(layout.parameters(), 0.0f);
    weights[layout.output_bias().offset] = 1000;
    weights[layout.output_bias().offset + 1] = -1000;
    Sequence sequence;
    sequence.tokens = {0};
    sequence.scored = {1};
    sequence.targets = {kind == OutputKind::kSoftmax ? 1u : 2u};
    LstmPass<float> pass(layout);
    const Evaluation evaluation =
        pass.forward(make_batch(std::vector{sequence}, spec.data), weights);
    EXPECT_DOUBLE_EQ(evaluation.total_loss, 2000);
  }
}

}  // namespace
}  // namespace gradus
