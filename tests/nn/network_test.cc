// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/network.h"

#include <gtest/gtest.h>

#include "gradus/core/answers.h"
#include "gradus/core/error.h"
#include "gradus/nn/cpu/lstm.h"
#include "gradus/nn/cpu/output.h"
#include "tests/nn/random_batch.h"

namespace gradus {
namespace {

struct Example {
  ParameterLayout layout;
  std::vector<Tensor> tensors;
  std::vector<double> weights;  // the same numbers
};

Example example(const DataSpec& data, int layers) {
  Example made{ParameterLayout({data, layers, 20}), {}, {}};
  for (const double weight : initial_weights(made.layout, {.range = 0.3}, 3)) {
    made.weights.push_back(static_cast<float>(weight));
  }
  for (const Slice& slice : made.layout.slices()) {
    const auto first = made.weights.begin() + static_cast<std::ptrdiff_t>(slice.offset);
    made.tensors.push_back(
        {slice.name, {slice.rows, slice.columns}, std::vector<float>(first, first + slice.size())});
  }
  return made;
}

// Scores the logits of every step.
Evaluation by_steps(Network& network, const Batch& batch) {
  const OutputSpec& output = network.spec().data.output;
  Evaluation evaluation;
  AnswerCounter answers;
  answers.start(batch.sequences);
  network.start(batch.sequences);
  for (int t = 0; t < batch.steps; ++t) {
    const std::span<const float> logits = network.step(batch, t);
    for (int b = 0; b < static_cast<int>(logits.size()) / output.width; ++b) {
      const std::size_t cell = static_cast<std::size_t>(t) * batch.sequences + b;
      if (batch.scored[cell] == 0) continue;
      std::vector<double> row(logits.begin() + b * output.width,
                              logits.begin() + (b + 1) * output.width);
      const OutputScore score =
          score_output(output.kind, output.width, batch.targets[cell], row.data());
      evaluation.total_loss += score.loss;
      answers.add(b, t, score.wrong, evaluation);
    }
  }
  return evaluation;
}

// Float rounds with a relative error of 6e-8, and losses average over hundreds of outputs.
TEST(Network, StepsAndEvaluatesAsTheReferenceDoes) {
  for (const OutputKind kind : {OutputKind::kSoftmax, OutputKind::kSigmoid}) {
    for (const int layers : {1, 2, 3}) {
      for (const int sequences : {1, 7}) {
        const DataSpec data = mixed_data(kind, 6);
        const Example made = example(data, layers);
        const Batch batch = random_batch(data, sequences, 30, 5);
        const Evaluation right = LstmPass<double>(made.layout).forward(batch, made.weights);
        Network network(data, made.tensors);
        EXPECT_EQ(network.spec().layers, layers);
        EXPECT_EQ(network.spec().cells, 20);
        for (const Evaluation& found :
             {network.evaluate(batch), by_steps(network, batch), by_steps(network, batch)}) {
          EXPECT_NEAR(found.total_loss, right.total_loss, 1e-6 * right.total_loss);
          EXPECT_EQ(found.wrong_answers, right.wrong_answers);
          EXPECT_EQ(found.answers, right.answers);
        }
      }
    }
  }
}

TEST(Network, RefusesWeightsThatDoNotFitItsData) {
  const DataSpec data = mixed_data(OutputKind::kSoftmax, 6);
  const Example made = example(data, 2);
  DataSpec other = data;
  other.input.tokens += 1;
  EXPECT_THROW(Network(other, made.tensors), InputError);
  EXPECT_THROW(Network(data, std::span(made.tensors).first(4)), InputError);
  std::vector<Tensor> turned = made.tensors;
  std::swap(turned[1].shape[0], turned[1].shape[1]);
  EXPECT_THROW(Network(data, turned), InputError);
}

}  // namespace
}  // namespace gradus
