// One suite over all back ends, against the CPU's reference in double. What a machine cannot run is
// skipped; scripts/test-gpu runs it where there is a GPU.

#include <cmath>
#include <iostream>
#include <tuple>

#include <gtest/gtest.h>

#include "gradus/nn/cpu/learner.h"
#include "tests/nn/backends.h"
#include "tests/nn/random_batch.h"

namespace gradus {
namespace {

struct Shape {
  int layers, cells, sequences, max_length;
  OutputKind kind;
  int outputs;
};

// Sizes that are multiples of nothing, sizes that have kernels of their own or are padded to one
// that has, and one to three layers.
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

LearnerSettings settings_for(ObjectiveKind kind, PriorKind prior = PriorKind::kGlobal) {
  LearnerSettings settings;
  settings.objective.kind = kind;
  settings.objective.prior = prior;
  settings.objective.total_sequences = 1000;
  settings.optimiser.learning_rate = 1e-4;
  return settings;
}

Needs all_needs(ObjectiveKind kind) {
  Needs needs{.loss_after = true, .probe = Probe::kSameTask, .gradient_norm = true};
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
  // A dot product may be much smaller than the lengths of what is multiplied.
  const double gradient = std::sqrt(expected.gradient_norm);
  if (kind == ObjectiveKind::kVariational) {
    expect_near(got.kl_before, expected.kl_before, 1e-6, "KL before");
    expect_near(got.kl_after, expected.kl_after, 1e-6, "KL after");
    // grad KL is at most about 1 / sigma a weight, or 50.
    EXPECT_NEAR(got.kl_dot_gradient, expected.kl_dot_gradient,
                tolerance.gradient * std::max(std::abs(expected.kl_dot_gradient), 50 * gradient));
  } else {
    expect_near(got.weight_norm_before, expected.weight_norm_before, 1e-6, "|theta|^2 before");
    expect_near(got.weight_norm_after, expected.weight_norm_after, 1e-6, "|theta|^2 after");
    EXPECT_NEAR(got.weights_dot_gradient, expected.weights_dot_gradient,
                tolerance.gradient * gradient * std::sqrt(expected.weight_norm_before));
  }
}

class BackendSuite : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (!available(backend())) GTEST_SKIP() << "needs a GPU";
  }
  const Backend& backend() const { return backends()[GetParam()]; }
};

// Three updates on ragged batches: all that is measured, then weights and optimiser.
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
    // Three updates move weights by a part in a thousand or so; biases start at 0.
    if (!name.starts_with("optimiser") && name.find("bias") == std::string::npos) {
      tolerance = backend.tolerance.state / 100;
    }
    // A prior's gradient is a sum over all weights that nearly cancels.
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
    // The reference is the same code as the CPU back end: its largest sizes show nothing new.
    if (!backend().on_gpu && shape.cells > 128) continue;
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

// A GPU takes inputs of up to 16 channels in another way than more of them.
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
    const Shape shape{2, cells, 19, 70, OutputKind::kSigmoid, 5};
    for (const InputSpec& input : inputs) {
      SCOPED_TRACE(std::to_string(input.tokens) + " tokens, " + std::to_string(input.bits) +
                   " bits, " + std::to_string(input.reals) + " reals");
      const NetworkSpec spec{{input, {shape.kind, shape.outputs}}, shape.layers, shape.cells};
      match_double(backend(), spec, shape, settings_for(ObjectiveKind::kMaximumLikelihood));
    }
  }
}

// The GPU pads 96 cells to 128; those that it adds must have neither noise nor a prior.
TEST_P(BackendSuite, MatchesDoubleUnderEveryPriorWithPaddedCells) {
  const Shape shape{2, 96, 19, 12, OutputKind::kSoftmax, 11};
  const NetworkSpec spec{mixed_data(shape.kind, shape.outputs), shape.layers, shape.cells};
  for (const PriorKind prior : {PriorKind::kGlobal, PriorKind::kTensor, PriorKind::kWeight}) {
    SCOPED_TRACE("prior " + std::to_string(static_cast<int>(prior)));
    match_double(backend(), spec, shape, settings_for(ObjectiveKind::kVariational, prior));
  }
}

TEST_P(BackendSuite, EvaluatesAsDoubleDoes) {
  for (const Shape& shape : {kShapes[1], kShapes[4], kShapes[9]}) {
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
    // An output near a tie may fall to either side.
    EXPECT_NEAR(static_cast<double>(got.wrong_answers), static_cast<double>(expected.wrong_answers),
                1 + 0.01 * static_cast<double>(expected.answers));
  }
}

TEST_P(BackendSuite, GivesTheSameBitsTwiceAndAfterRestoring) {
  for (const int cells : {40, 96, 512}) {
    if (!backend().on_gpu && cells > 40) continue;
    const NetworkSpec spec{mixed_data(OutputKind::kSoftmax, 9), 2, cells};
    for (const ObjectiveKind kind : {ObjectiveKind::kL2, ObjectiveKind::kVariational}) {
      const auto one = backend().make(spec, settings_for(kind), 3);
      const auto two = backend().make(spec, settings_for(kind), 3);
      const auto resumed = backend().make(spec, settings_for(kind), 3);
      for (int update = 0; update < 4; ++update) {
        const Batch x = random_batch(spec.data, 33, 12, update);
        const Batch probe = random_batch(spec.data, 9, 12, 50 + update);
        if (update == 2) resumed->restore(one->save());
        const Measurements a = one->train(x, &probe, all_needs(kind));
        const Measurements b = two->train(x, &probe, all_needs(kind));
        EXPECT_EQ(a.loss_before, b.loss_before);
        EXPECT_EQ(a.loss_after, b.loss_after);
        EXPECT_EQ(a.probe_after, b.probe_after);
        EXPECT_EQ(a.gradient_norm, b.gradient_norm);
        if (update < 2) continue;
        EXPECT_EQ(resumed->train(x, &probe, all_needs(kind)).loss_after, a.loss_after);
      }
      EXPECT_EQ(one->save(), two->save());
      EXPECT_EQ(one->save(), resumed->save());
      EXPECT_EQ(one->vitals().gradient_norm, resumed->vitals().gradient_norm);
    }
  }
}

// How a GPU splits its work depends on how many networks share it; results must not. The sequences
// are long enough for layers to run side by side.
TEST_P(BackendSuite, GivesTheSameBitsAloneAndAmongOthers) {
  if (!backend().on_gpu) GTEST_SKIP() << "networks share nothing on the CPU";
  const LearnerSettings settings = settings_for(ObjectiveKind::kMaximumLikelihood);
  for (const auto& [cells, sequences] :
       {std::pair(256, 12), std::pair(512, 12), std::pair(512, 33)}) {
    SCOPED_TRACE(std::to_string(cells) + " cells, batch " + std::to_string(sequences));
    const NetworkSpec spec{mixed_data(OutputKind::kSoftmax, 9), 2, cells};
    const auto train = [&, count = sequences] {
      const auto learner = backend().make(spec, settings, 3);
      for (int update = 0; update < 3; ++update) {
        learner->train(random_batch(spec.data, count, 100, update), nullptr, {.loss_after = true});
      }
      return learner->save();
    };
    const LearnerState alone = train();
    std::vector<std::unique_ptr<Learner>> others;
    for (const int number : {2, 8}) {
      while (static_cast<int>(others.size()) < number) {
        others.push_back(backend().make(spec, settings, 1));
      }
      EXPECT_EQ(train(), alone) << "among " << number;
    }
  }
}

// The same kernels in the same order measure a loss before and after, so that their difference is
// the update's and not the kernels'.
TEST_P(BackendSuite, MeasuresLossAfterAsTheNextUpdateSeesIt) {
  const NetworkSpec spec{mixed_data(OutputKind::kSoftmax, 9), 2, 128};
  const Batch batch = random_batch(spec.data, 33, 12, 1);
  const auto learner = backend().make(spec, settings_for(ObjectiveKind::kMaximumLikelihood), 3);
  const Measurements first = learner->train(batch, nullptr, {.loss_after = true});
  EXPECT_EQ(learner->evaluate(batch).total_loss / batch.sequences, first.loss_after);
  EXPECT_EQ(learner->train(batch, nullptr, {}).loss_before, first.loss_after);
}

// Output weights 20,000 times as large make gradients that half cannot hold at the usual scale.
LearnerState with_huge_gradients(LearnerState state) {
  for (Tensor& tensor : state.tensors) {
    if (tensor.name != "output.weight") continue;
    for (float& weight : std::get<std::vector<float>>(tensor.values)) {
      weight = std::round(20'000 * weight);
    }
  }
  return state;
}

TEST_P(BackendSuite, MatchesDoubleWhereGradientsAreHuge) {
  for (const int cells : {40, 128}) {
    const NetworkSpec spec{mixed_data(OutputKind::kSoftmax, 9), 1, cells};
    const LearnerSettings settings = settings_for(ObjectiveKind::kMaximumLikelihood);
    const auto learner = backend().make(spec, settings, 3);
    const LearnerState state = with_huge_gradients(learner->save());
    learner->restore(state);
    CpuLearner<double> reference(spec, settings, 3);
    reference.restore(in_double(state));
    const Batch batch = random_batch(spec.data, 8, 10, 1);
    learner->train(batch, nullptr, {});
    reference.train(batch, nullptr, {});
    const LearnerState got = learner->save();
    const LearnerState expected = reference.save();
    for (std::size_t i = 0; i < got.tensors.size(); ++i) {
      if (got.tensors[i].name != "optimiser.mean.lstm0.recurrent") continue;
      EXPECT_GT(length(numbers(expected.tensors[i])), 100) << "the gradient must be huge";
      // Losses of thousands of nats: logits are wrong by their own rounding, and p - y with them.
      EXPECT_LT(error(got.tensors[i], expected.tensors[i]), 5 * backend().tolerance.gradient);
    }
  }
}

// Gradients that explode once tend to explode again, so the scale stays low for a while.
TEST_P(BackendSuite, KeepsASmallerScaleAfterAnOverflow) {
  const NetworkSpec spec{mixed_data(OutputKind::kSoftmax, 9), 1, 40};
  const auto learner = backend().make(spec, settings_for(ObjectiveKind::kMaximumLikelihood), 3);
  const LearnerState start = learner->save();
  if (start.loss_scale <= 1) GTEST_SKIP() << "gradients are not scaled";
  const Batch batch = random_batch(spec.data, 8, 10, 1);
  learner->restore(with_huge_gradients(start));
  learner->train(batch, nullptr, {});
  LearnerState state = learner->save();
  const double lowered = state.loss_scale;
  EXPECT_LT(lowered, start.loss_scale);

  // The weights of before, with the scale of after.
  state.tensors = start.tensors;
  learner->restore(state);
  learner->train(batch, nullptr, {});
  EXPECT_EQ(learner->save().loss_scale, lowered);
  for (int update = 0; update < 64; ++update) learner->train(batch, nullptr, {});
  EXPECT_EQ(learner->save().loss_scale, 2 * lowered);
}

// The paper's learning rate and sizes, of character n-grams and of repeat copy: gains a
// hundred-thousandth of the losses they are taken from.
TEST_P(BackendSuite, MeasuresPredictionGainsAsDoubleDoes) {
  const int cells = backend().on_gpu ? 512 : 64;
  const NetworkSpec specs[] = {{{{.tokens = 30}, {OutputKind::kSoftmax, 30}}, 2, cells},
                               {{{.bits = 9, .reals = 1}, {OutputKind::kSigmoid, 8}}, 1, cells}};
  for (const NetworkSpec& spec : specs) {
    LearnerSettings settings;
    settings.optimiser.learning_rate = 1e-5;
    const auto learner = backend().make(spec, settings, 1);
    CpuLearner<double> reference(spec, settings, 1);
    double errors = 0, squares = 0;
    for (int update = 0; update < 10; ++update) {
      reference.restore(in_double(learner->save()));
      const Batch batch = random_batch(spec.data, 16, 50, update);
      const Measurements got = learner->train(batch, nullptr, {.loss_after = true});
      const Measurements expected = reference.train(batch, nullptr, {.loss_after = true});
      const double gain = expected.loss_before - expected.loss_after;
      errors += std::pow(got.loss_before - got.loss_after - gain, 2);
      squares += gain * gain;
    }
    const double relative = std::sqrt(errors / squares);
    std::cout << "  " << backend().name << ", " << spec.layers << " x " << spec.cells
              << ": prediction gain is off by " << relative << '\n';
    EXPECT_LT(relative, backend().tolerance.gain);
  }
}

// 2,000 updates on a few batches that recur: curves of any precision end at the same loss.
TEST_P(BackendSuite, FollowsTheLossCurveOfTheCpu) {
  if (!backend().on_gpu) GTEST_SKIP() << "is the CPU";
  const NetworkSpec spec{{{.bits = 4}, {OutputKind::kSigmoid, 4}}, 1, 128};
  LearnerSettings settings;
  settings.optimiser.learning_rate = 1e-4;
  const auto learner = backend().make(spec, settings, 1);
  CpuLearner<float> reference(spec, settings, 1);
  double got = 0, expected = 0;
  for (int update = 0; update < 2000; ++update) {
    const Batch batch = random_batch(spec.data, 16, 12, update % 20);
    const double a = learner->train(batch, nullptr, {}).loss_before;
    const double b = reference.train(batch, nullptr, {}).loss_before;
    if (update % 400 == 0) {
      EXPECT_NEAR(a, b, 0.05 * b) << "update " << update;
    }
    if (update < 1800) continue;
    got += a;
    expected += b;
  }
  std::cout << "  " << backend().name << ": mean loss of the last 200 updates " << got / 200
            << ", of the CPU " << expected / 200 << '\n';
  EXPECT_NEAR(got, expected, 0.03 * expected);
}

TEST_P(BackendSuite, ThrowsWhereTheGradientIsNotFinite) {
  if (!backend().on_gpu) GTEST_SKIP() << "the CPU returns the loss, which the syllabus refuses";
  const NetworkSpec spec{mixed_data(OutputKind::kSoftmax, 9), 1, 128};
  const auto learner = backend().make(spec, settings_for(ObjectiveKind::kMaximumLikelihood), 3);
  LearnerState state = learner->save();
  std::get<std::vector<float>>(state.tensors[1].values)[5] = INFINITY;
  learner->restore(state);
  EXPECT_THROW(learner->train(random_batch(spec.data, 8, 10, 1), nullptr, {}), std::runtime_error);
}

INSTANTIATE_TEST_SUITE_P(Backends, BackendSuite, testing::Range<std::size_t>(0, backends().size()),
                         [](const auto& info) { return backends()[info.param].name; });

}  // namespace
}  // namespace gradus
