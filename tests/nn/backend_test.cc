// SPDX-License-Identifier: Apache-2.0
// Compares what back ends measure, and their weights and optimiser state after a few updates, with
// the CPU's double reference.

#include <cmath>

#include "gradus/nn/cpu/learner.h"
#include "tests/nn/backend_suite.h"
#include "tests/nn/random_batch.h"

namespace gradus {
namespace {

struct Shape {
  int layers, cells, sequences, max_length;
  OutputKind kind;
  int outputs;
};

// Odd sizes, sizes that have special kernels or are padded to one that has, and one to three
// layers.
const Shape kShapes[] = {
    {1, 32, 5, 9, OutputKind::kSigmoid, 3},     {1, 37, 19, 11, OutputKind::kSoftmax, 7},
    {2, 50, 3, 20, OutputKind::kSigmoid, 9},    {3, 33, 17, 8, OutputKind::kSoftmax, 41},
    {1, 128, 32, 30, OutputKind::kSigmoid, 9},  {2, 128, 45, 13, OutputKind::kSoftmax, 60},
    {1, 256, 7, 25, OutputKind::kSoftmax, 16},  {2, 256, 130, 6, OutputKind::kSigmoid, 8},
    {1, 512, 32, 40, OutputKind::kSigmoid, 9},  {2, 512, 21, 17, OutputKind::kSoftmax, 33},
    {3, 512, 1, 9, OutputKind::kSoftmax, 4},    {1, 1024, 6, 7, OutputKind::kSoftmax, 12},
    {2, 128, 9, 100, OutputKind::kSoftmax, 6},  {3, 128, 20, 70, OutputKind::kSigmoid, 5},
    {3, 96, 20, 70, OutputKind::kSigmoid, 5},   {2, 160, 45, 13, OutputKind::kSoftmax, 60},
    {1, 384, 21, 17, OutputKind::kSoftmax, 33},
};

// Only GPUs treat networks above 128 cells and a few dozen steps differently. On the CPU such
// shapes only cost time, which the reference takes.
bool is_worth_testing(const Shape& shape, const Backend& backend) {
  return backend.on_gpu || (shape.cells <= 128 && shape.sequences * shape.max_length <= 1000);
}

void expect_near(double got, double expected, double tolerance, const char* what) {
  EXPECT_NEAR(got, expected, tolerance * std::abs(expected)) << what;
}

void compare(const Measurements& got, const Measurements& expected, const Tolerance& tolerance,
             ObjectiveKind kind) {
  expect_near(got.loss_before, expected.loss_before, tolerance.loss, "loss before");
  expect_near(got.loss_after, expected.loss_after, tolerance.loss, "loss after");
  expect_near(got.probe_before, expected.probe_before, tolerance.loss, "probe before");
  expect_near(got.probe_after, expected.probe_after, tolerance.loss, "probe after");
  expect_near(got.gradient_norm, expected.gradient_norm, tolerance.gradient, "|grad L|^2");
  // A rounding error may decide between two outputs that are nearly equal.
  EXPECT_NEAR(got.answers_right, expected.answers_right, 0.1);
  // A dot product may be much smaller than the product of the norms.
  const double gradient = std::sqrt(expected.gradient_norm);
  // Both gradients are about as long: batch and probe are drawn alike.
  EXPECT_NEAR(got.probe_dot_gradient, expected.probe_dot_gradient,
              2 * tolerance.gradient * expected.gradient_norm);
  if (kind == ObjectiveKind::kVariational) {
    expect_near(got.kl_before, expected.kl_before, 1e-6, "KL before");
    expect_near(got.kl_after, expected.kl_after, 1e-6, "KL after");
    // grad KL is at most about 1 / sigma = 50 per weight.
    EXPECT_NEAR(got.kl_dot_gradient, expected.kl_dot_gradient,
                tolerance.gradient * std::max(std::abs(expected.kl_dot_gradient), 50 * gradient));
  } else {
    expect_near(got.weight_norm_before, expected.weight_norm_before, 1e-6, "|theta|^2 before");
    expect_near(got.weight_norm_after, expected.weight_norm_after, 1e-6, "|theta|^2 after");
    EXPECT_NEAR(got.weights_dot_gradient, expected.weights_dot_gradient,
                tolerance.gradient * gradient * std::sqrt(expected.weight_norm_before));
  }
}

// Three updates on ragged batches. Compares all measurements, then weights and optimiser.
void match_double(const Backend& backend, const NetworkSpec& spec, const Shape& shape,
                  const LearnerSettings& settings) {
  const ObjectiveKind kind = settings.objective.kind;
  const auto learner = backend.make(spec, settings, 3);
  CpuLearner<double> reference(spec, settings, 3);
  for (int update = 0; update < 3; ++update) {
    const Batch x = random_batch(spec.data, shape.sequences, shape.max_length, 100 + update);
    const Batch probe =
        random_batch(spec.data, shape.sequences + 2, shape.max_length, 200 + update);
    const Measurements got = learner->train(x, &probe, all_needs(kind));
    compare(got, reference.train(x, &probe, all_needs(kind)), backend.tolerance, kind);
  }
  const LearnerState got = learner->save();
  const LearnerState expected = reference.save();
  ASSERT_EQ(got.tensors.size(), expected.tensors.size());
  EXPECT_EQ(got.updates, 3u);
  for (std::size_t i = 0; i < got.tensors.size(); ++i) {
    const std::string& name = got.tensors[i].name;
    ASSERT_EQ(name, expected.tensors[i].name);
    double tolerance = backend.tolerance.state;
    if (name.starts_with("optimiser.mean")) tolerance = backend.tolerance.gradient;
    // Three updates change weights by about one part in a thousand. Biases start at 0.
    if (!name.starts_with("optimiser") && name.find("bias") == std::string::npos) {
      tolerance = backend.tolerance.state / 100;
    }
    // A prior's gradient is a sum over all weights, whose terms nearly cancel.
    if (name.find("prior.") != std::string::npos) tolerance = 10 * backend.tolerance.state;
    EXPECT_LT(error(got.tensors[i], expected.tensors[i]), tolerance) << name;
  }
  EXPECT_NEAR(learner->vitals().weight_norm / reference.vitals().weight_norm, 1, 1e-5);
  EXPECT_NEAR(learner->vitals().gradient_norm / reference.vitals().gradient_norm, 1,
              backend.tolerance.gradient);
  if (kind != ObjectiveKind::kVariational) return;
  expect_near(learner->vitals().complexity, reference.vitals().complexity, 1e-6, "KL at rest");
}

TEST_P(BackendSuite, MatchesDoubleAtEveryShape) {
  for (const Shape& shape : kShapes) {
    if (!is_worth_testing(shape, backend())) continue;
    SCOPED_TRACE(std::to_string(shape.layers) + " x " + std::to_string(shape.cells) + ", batch " +
                 std::to_string(shape.sequences));
    const NetworkSpec spec{mixed_data(shape.kind, shape.outputs), shape.layers, shape.cells};
    match_double(backend(), spec, shape, settings_for(ObjectiveKind::kL2));
  }
}

TEST_P(BackendSuite, MatchesDoubleUnderEveryObjective) {
  const Shape shape{2, 128, 19, 12, OutputKind::kSoftmax, 11};
  const NetworkSpec spec{mixed_data(shape.kind, shape.outputs), shape.layers, shape.cells};
  match_double(backend(), spec, shape, settings_for(ObjectiveKind::kMaximumLikelihood));
  for (const PriorKind prior : {PriorKind::kGlobal, PriorKind::kTensor, PriorKind::kWeight}) {
    SCOPED_TRACE("prior " + std::to_string(static_cast<int>(prior)));
    match_double(backend(), spec, shape, settings_for(ObjectiveKind::kVariational, prior));
  }
  for (const ObjectiveKind kind :
       {ObjectiveKind::kMaximumLikelihood, ObjectiveKind::kVariational}) {
    SCOPED_TRACE("clipped, objective " + to_string(kind));
    LearnerSettings clipped = settings_for(kind);
    clipped.optimiser.clip = 0.1;
    clipped.optimiser.centred = false;
    match_double(backend(), spec, shape, clipped);
  }
}

// Squared norm of the gradient with respect to the LSTM's weights, after one update.
double lstm_gradient(const NetworkSpec& spec, const LearnerSettings& settings, const Batch& x) {
  CpuLearner<double> learner(spec, settings, 3);
  learner.train(x, nullptr, {});
  double squares = 0;
  for (const Tensor& tensor : learner.save().tensors) {
    const bool counts =
        tensor.name.starts_with("optimiser.mean.") && tensor.name.find("lstm") != std::string::npos;
    if (counts) squares += std::pow(length(numbers(tensor)), 2);
  }
  return squares;
}

// Checks that the limit takes effect but does not clamp nearly everything.
void expect_limited(const NetworkSpec& spec, const Shape& shape, LearnerSettings settings) {
  const Batch x = random_batch(spec.data, shape.sequences, shape.max_length, 100);
  const double limited = lstm_gradient(spec, settings, x);
  settings.derivative_limit = 0;
  const double share = limited / lstm_gradient(spec, settings, x);
  EXPECT_GT(share, 0.01);
  EXPECT_LT(share, 0.5);
}

TEST_P(BackendSuite, MatchesDoubleWithLimitedDerivatives) {
  const std::pair<Shape, double> cases[] = {{{1, 37, 19, 11, OutputKind::kSoftmax, 7}, 5e-3},
                                            {{2, 50, 3, 20, OutputKind::kSigmoid, 9}, 2e-2},
                                            {{3, 96, 20, 70, OutputKind::kSigmoid, 5}, 5e-3},
                                            {{1, 512, 32, 40, OutputKind::kSigmoid, 9}, 5e-3},
                                            {{2, 512, 21, 17, OutputKind::kSoftmax, 33}, 5e-3}};
  for (const auto& [shape, limit] : cases) {
    if (!is_worth_testing(shape, backend())) continue;
    const NetworkSpec spec{mixed_data(shape.kind, shape.outputs), shape.layers, shape.cells};
    for (const ObjectiveKind kind :
         {ObjectiveKind::kMaximumLikelihood, ObjectiveKind::kL2, ObjectiveKind::kVariational}) {
      SCOPED_TRACE(std::to_string(shape.layers) + " x " + std::to_string(shape.cells) + ", " +
                   to_string(kind));
      LearnerSettings settings = settings_for(kind);
      settings.derivative_limit = limit;
      // Regularisers add their own gradients, so check the limit without them.
      if (kind == ObjectiveKind::kMaximumLikelihood) expect_limited(spec, shape, settings);
      match_double(backend(), spec, shape, settings);
    }
  }
}

// A GPU processes inputs of up to 16 channels differently from wider ones.
TEST_P(BackendSuite, MatchesDoubleWithFewAndManyInputs) {
  const InputSpec inputs[] = {{.tokens = 16},
                              {.tokens = 17},
                              {.bits = 1},
                              {.bits = 16},
                              {.bits = 20},
                              {.reals = 3},
                              {.reals = 18},
                              {.tokens = 5, .bits = 8, .reals = 3},
                              {.tokens = 40, .bits = 3, .reals = 2}};
  for (const int cells : {40, 256}) {
    if (!backend().on_gpu && cells > 40) continue;
    const Shape shape{2, cells, 19, backend().on_gpu ? 70 : 20, OutputKind::kSigmoid, 5};
    for (const InputSpec& input : inputs) {
      SCOPED_TRACE(std::to_string(input.tokens) + " tokens, " + std::to_string(input.bits) +
                   " bits, " + std::to_string(input.reals) + " reals");
      const NetworkSpec spec{{input, {shape.kind, shape.outputs}}, shape.layers, shape.cells};
      match_double(backend(), spec, shape, settings_for(ObjectiveKind::kMaximumLikelihood));
    }
  }
}

// The GPU pads 96 cells to 128. The added cells must have neither noise nor a prior.
TEST_P(BackendSuite, MatchesDoubleUnderEveryPriorWithPaddedCells) {
  const Shape shape{2, 96, 19, 12, OutputKind::kSoftmax, 11};
  const NetworkSpec spec{mixed_data(shape.kind, shape.outputs), shape.layers, shape.cells};
  for (const PriorKind prior : {PriorKind::kGlobal, PriorKind::kTensor, PriorKind::kWeight}) {
    SCOPED_TRACE("prior " + std::to_string(static_cast<int>(prior)));
    match_double(backend(), spec, shape, settings_for(ObjectiveKind::kVariational, prior));
  }
}

TEST_P(BackendSuite, EvaluatesAsDoubleDoes) {
  for (const Shape& shape : {kShapes[1], kShapes[4], kShapes[backend().on_gpu ? 9 : 5]}) {
    const NetworkSpec spec{mixed_data(shape.kind, shape.outputs), shape.layers, shape.cells};
    LearnerSettings settings = settings_for(ObjectiveKind::kVariational);
    settings.objective.evaluate_at_sample = shape.layers > 1;
    const auto learner = backend().make(spec, settings, 3);
    CpuLearner<double> reference(spec, settings, 3);
    const Batch batch = random_batch(spec.data, 64, shape.max_length, 5);
    learner->train(batch, nullptr, {});
    reference.train(batch, nullptr, {});
    const Evaluation got = learner->evaluate(batch);
    const Evaluation expected = reference.evaluate(batch);
    expect_near(got.total_loss, expected.total_loss, backend().tolerance.loss, "loss");
    EXPECT_EQ(got.outputs, expected.outputs);
    EXPECT_EQ(got.answers, expected.answers);
    // An output near a tie may be right or wrong.
    EXPECT_NEAR(static_cast<double>(got.wrong_answers), static_cast<double>(expected.wrong_answers),
                1 + 0.01 * static_cast<double>(expected.answers));
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, BackendSuite, testing::Range<std::size_t>(0, backends().size()),
                         [](const auto& info) { return backends()[info.param].name; });

}  // namespace
}  // namespace gradus
