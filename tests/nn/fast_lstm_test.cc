// SPDX-License-Identifier: Apache-2.0
// Compares the fast pass in float with the double reference, for every instruction set that this
// build has and this machine can run.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gradus/nn/cpu/fast/gates.h"
#include "gradus/nn/cpu/fast/lstm.h"
#include "gradus/nn/cpu/reference_pass.h"
#include "tests/nn/random_batch.h"
#include "tests/nn/simd_targets.h"

namespace gradus {
namespace {

struct Shape {
  int layers;
  int cells;
  int sequences;
  int threads;
  OutputSpec output;
};

void PrintTo(const Shape& shape, std::ostream* out) {
  *out << shape.layers << " x " << shape.cells << " cells, " << shape.sequences << " sequences, "
       << shape.threads << " threads, " << shape.output.width << " outputs";
}

class FastLstm : public testing::TestWithParam<Shape> {};

// Float rounds with a relative error of 6e-8. Measured over some ten steps and sums of hundreds of
// products, losses have relative errors of 1e-7, and gradients are off by 3e-6 of the largest entry
// of their matrix. The bounds are ten and five times that.
void expect_agreement(const Shape& shape, double largest_derivative) {
  const NetworkSpec spec{
      {{.tokens = 4, .bits = 3, .reals = 2}, shape.output}, shape.layers, shape.cells};
  const ParameterLayout layout(spec);
  const std::vector<double> weights = initial_weights(layout, {.range = 0.3}, 5);
  const std::vector<float> rounded(weights.begin(), weights.end());
  const std::vector<double> exactly(rounded.begin(), rounded.end());
  const Batch batch = random_batch(spec.data, shape.sequences, 12, 17);

  ThreadTeam team(shape.threads);
  ReferencePass reference(layout, team, largest_derivative);
  std::vector<double> expected(layout.parameters());
  reference.load(exactly);
  const Evaluation right = reference.differentiate(batch, expected);

  for_each_target([&] {
    fast::FastLstm pass(layout, team, largest_derivative);
    pass.load(rounded);
    std::vector<float> gradient(layout.parameters(), 7.0f);
    const Evaluation found = pass.differentiate(batch, gradient);
    EXPECT_NEAR(found.total_loss, right.total_loss, 1e-6 * right.total_loss);
    EXPECT_EQ(found.outputs, right.outputs);
    EXPECT_EQ(found.answers, right.answers);
    EXPECT_EQ(found.wrong_answers, right.wrong_answers);
    EXPECT_EQ(pass.evaluate(batch).total_loss, found.total_loss);
    for (const Slice& slice : layout.slices()) {
      double largest = 0;
      for (std::size_t i = 0; i < slice.size(); ++i) {
        largest = std::max(largest, std::abs(expected[slice.offset + i]));
      }
      for (std::size_t i = 0; i < slice.size(); ++i) {
        ASSERT_NEAR(gradient[slice.offset + i], expected[slice.offset + i], 1.5e-5 * largest)
            << slice.name << " entry " << i;
      }
    }
  });
}

TEST_P(FastLstm, AgreesWithTheReferenceOnRaggedBatches) {
  expect_agreement(GetParam(), std::numeric_limits<double>::infinity());
}

TEST_P(FastLstm, AgreesWithTheReferenceIfDerivativesAreLimited) {
  expect_agreement(GetParam(), 0.02);
}

INSTANTIATE_TEST_SUITE_P(Shapes, FastLstm,
                         testing::Values(Shape{1, 1, 1, 1, {OutputKind::kSigmoid, 1}},
                                         Shape{1, 5, 3, 1, {OutputKind::kSoftmax, 6}},
                                         Shape{1, 16, 8, 1, {OutputKind::kSigmoid, 17}},
                                         Shape{1, 17, 9, 2, {OutputKind::kSigmoid, 31}},
                                         Shape{2, 33, 37, 2, {OutputKind::kSoftmax, 20}},
                                         Shape{3, 48, 30, 3, {OutputKind::kSoftmax, 40}},
                                         Shape{2, 40, 3, 5, {OutputKind::kSigmoid, 9}},
                                         Shape{1, 96, 32, 6, {OutputKind::kSoftmax, 100}}));

// Threads that share sequences, and threads that have their own, must give the same bits as one
// thread.
TEST(FastLstm, GivesTheSameBitsHoweverTheWorkIsSplit) {
  const NetworkSpec spec{mixed_data(OutputKind::kSoftmax, 5), 2, 70};
  const ParameterLayout layout(spec);
  const std::vector<double> start = initial_weights(layout, {}, 5);
  const std::vector<float> weights(start.begin(), start.end());
  for (const int sequences : {2, 13, 32}) {
    const Batch batch = random_batch(spec.data, sequences, 20, 3);
    std::vector<float> one(layout.parameters());
    double loss = 0;
    for (const int threads : {1, 2, 3, 4, 7}) {
      ThreadTeam team(threads);
      fast::FastLstm pass(layout, team);
      pass.load(weights);
      std::vector<float> gradient(layout.parameters());
      const double total = pass.differentiate(batch, gradient).total_loss;
      if (threads == 1) {
        one = gradient;
        loss = total;
      }
      EXPECT_EQ(gradient, one) << threads << " threads, " << sequences << " sequences";
      EXPECT_EQ(total, loss) << threads << " threads, " << sequences << " sequences";
    }
  }
}

TEST(FastLstm, SplitsEverySequenceAndUnitOnce) {
  for (const int threads : {1, 2, 3, 5, 16, 64}) {
    for (const int sequences : {1, 4, 7, 16, 32, 37}) {
      for (const int blocks : {1, 2, 6, 32}) {
        const fast::Split split = fast::split_for(threads, sequences, blocks);
        ASSERT_LE(split.workers(), threads);
        std::vector<int> times(static_cast<std::size_t>(sequences) * blocks, 0);
        for (int worker = 0; worker < split.workers(); ++worker) {
          for (int row = 0; row < split.rows(worker, sequences); ++row) {
            const std::size_t b =
                split.first_row(worker) + fast::row_of_quads(row, fast::kQuad * split.row_groups);
            for (int u = split.first_block(worker, blocks); u < split.last_block(worker, blocks);
                 ++u) {
              ++times.at(b * blocks + u);
            }
          }
        }
        EXPECT_EQ(std::count(times.begin(), times.end(), 1), sequences * blocks)
            << threads << " threads, " << sequences << " sequences, " << blocks << " blocks";
      }
    }
  }
}

// Logits of +-1000 overflow exp in any precision, but the loss is still exact. A NaN weight makes
// the loss NaN.
TEST(FastLstm, SurvivesHugeLogitsAndShowsNan) {
  for (const OutputKind kind : {OutputKind::kSigmoid, OutputKind::kSoftmax}) {
    const NetworkSpec spec{{{.tokens = 2, .bits = 0, .reals = 0}, {kind, 2}}, 1, 1};
    const ParameterLayout layout(spec);
    Sequence sequence;
    sequence.tokens = {0};
    sequence.scored = {1};
    sequence.targets = {kind == OutputKind::kSoftmax ? 1u : 2u};
    const Batch batch = make_batch(std::vector{sequence}, spec.data);
    ThreadTeam team(1);
    for_each_target([&] {
      std::vector<float> weights(layout.parameters(), 0.0f);
      weights[layout.output_bias().offset] = 1000;
      weights[layout.output_bias().offset + 1] = -1000;
      fast::FastLstm pass(layout, team);
      pass.load(weights);
      EXPECT_DOUBLE_EQ(pass.evaluate(batch).total_loss, 2000);
      for (const Slice* slice : {&layout.input(0), &layout.output_weight()}) {
        std::vector<float> broken(layout.parameters(), 0.1f);
        broken[slice->offset] = std::numeric_limits<float>::quiet_NaN();
        pass.load(broken);
        EXPECT_TRUE(std::isnan(pass.evaluate(batch).total_loss)) << slice->name;
      }
    });
  }
}

// Appends the sigmoid and the tangent of 16 numbers: gates i and g of a block of units if all its
// preactivations are these numbers.
void append_activations(const float* x, std::vector<float>& sigmoids,
                        std::vector<float>& tangents) {
  float z[64], gates[64], squashed[16], cells[16], hidden[16];
  for (int k = 0; k < 64; ++k) z[k] = x[k % 16];
  fast::forward_gates({.rows = 1, .stride = 4, .gates = gates, .squashed = squashed}, z, cells,
                      hidden);
  sigmoids.insert(sigmoids.end(), gates, gates + 16);
  tangents.insert(tangents.end(), gates + 32, gates + 48);
}

// Every 4099th float, of both signs and all exponents; see activations_test.cc for the bounds.
TEST(FastActivations, AreWithin2e7OfTheTruthInProportionToIt) {
  std::vector<float> x;
  for (std::uint64_t bits = 0; bits < 0x100000000u; bits += 4099) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (std::isfinite(value)) x.push_back(value);
  }
  x.resize(x.size() / 16 * 16);
  for_each_target([&] {
    std::vector<float> s, t;
    for (std::size_t i = 0; i < x.size(); i += 16) append_activations(x.data() + i, s, t);
    double worst_sigmoid = 0, worst_tangent = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_TRUE(s[i] >= 0 && s[i] <= 1 && t[i] >= -1 && t[i] <= 1) << x[i];
      const double sigmoid = 1 / (1 + std::exp(-double{x[i]}));
      const double tangent = std::tanh(double{x[i]});
      if (x[i] > -60) worst_sigmoid = std::max(worst_sigmoid, std::abs(s[i] - sigmoid) / sigmoid);
      if (std::abs(x[i]) > 1e-30) {
        worst_tangent = std::max(worst_tangent, std::abs((t[i] - tangent) / tangent));
      }
    }
    EXPECT_LT(worst_sigmoid, 2e-7);
    EXPECT_LT(worst_tangent, 2e-7);
  });
}

}  // namespace
}  // namespace gradus
