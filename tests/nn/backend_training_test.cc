// SPDX-License-Identifier: Apache-2.0
// What back ends promise about training: reproducible bits, gradients of any size, and gains and
// loss curves like the reference's.

#include <cmath>
#include <iostream>

#include "gradus/nn/cpu/learner.h"
#include "tests/nn/backend_suite.h"
#include "tests/nn/random_batch.h"

namespace gradus {
namespace {

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

// How a GPU splits its work depends on how many networks share it, but results must not. The
// sequences are long enough for layers to run concurrently.
TEST_P(BackendSuite, GivesTheSameBitsAloneAndAmongOthers) {
  if (!backend().on_gpu) GTEST_SKIP() << "networks share nothing on the CPU";
  GpuPool pool;
  const auto make = [&](const NetworkSpec& spec, int seed) {
    LearnerSettings settings = settings_for(ObjectiveKind::kMaximumLikelihood);
    settings.place = pool.take("cuda:0");
    return backend().make(spec, settings, seed);
  };
  for (const auto& [cells, sequences] :
       {std::pair(256, 12), std::pair(512, 12), std::pair(512, 33)}) {
    SCOPED_TRACE(std::to_string(cells) + " cells, batch " + std::to_string(sequences));
    const NetworkSpec spec{mixed_data(OutputKind::kSoftmax, 9), 2, cells};
    const auto train = [&, count = sequences] {
      const auto learner = make(spec, 3);
      for (int update = 0; update < 3; ++update) {
        learner->train(random_batch(spec.data, count, 100, update), nullptr, {.loss_after = true});
      }
      return learner->save();
    };
    ASSERT_EQ(pool.take("cuda:0")->networks(), 1);
    const LearnerState alone = train();
    std::vector<std::unique_ptr<Learner>> others;
    for (const int number : {2, 8}) {
      while (static_cast<int>(others.size()) < number) {
        others.push_back(make(spec, 1));
      }
      EXPECT_EQ(pool.take("cuda:0")->networks(), number + 1);
      EXPECT_EQ(train(), alone) << "among " << number;
    }
  }
}

// One thread may use networks on several GPUs in turn, and a network may change threads.
TEST_P(BackendSuite, GivesTheSameBitsOnEveryGpuAndThread) {
  if (!backend().on_gpu) GTEST_SKIP() << "needs a GPU";
  const NetworkSpec spec{mixed_data(OutputKind::kSoftmax, 9), 2, 128};
  GpuPool pool;
  std::vector<std::unique_ptr<Learner>> learners;
  for (const int gpu : pool.candidates("cuda")) {
    LearnerSettings settings = settings_for(ObjectiveKind::kMaximumLikelihood);
    settings.place = pool.take("cuda:" + std::to_string(gpu));
    learners.push_back(backend().make(spec, settings, 3));
  }
  const auto train = [&](int update) {
    for (const auto& learner : learners) {
      learner->train(random_batch(spec.data, 33, 12, update), nullptr, {.loss_after = true});
    }
  };
  train(0);
  std::jthread(train, 1).join();
  const auto alone = backend().make(spec, settings_for(ObjectiveKind::kMaximumLikelihood), 3);
  for (int update = 0; update < 2; ++update) {
    alone->train(random_batch(spec.data, 33, 12, update), nullptr, {.loss_after = true});
  }
  for (const auto& learner : learners) EXPECT_EQ(learner->save(), alone->save());
}

// The losses before and after must come from the same kernels in the same order, so that their
// difference is due to the update alone.
TEST_P(BackendSuite, MeasuresLossAfterAsTheNextUpdateSeesIt) {
  const NetworkSpec spec{mixed_data(OutputKind::kSoftmax, 9), 2, 128};
  const Batch batch = random_batch(spec.data, 33, 12, 1);
  const auto learner = backend().make(spec, settings_for(ObjectiveKind::kMaximumLikelihood), 3);
  const Measurements first = learner->train(batch, nullptr, {.loss_after = true});
  EXPECT_EQ(learner->evaluate(batch).total_loss / batch.sequences, first.loss_after);
  EXPECT_EQ(learner->train(batch, nullptr, {}).loss_before, first.loss_after);
}

// Scales the output weights by 20,000, so that half cannot hold the gradients at the usual loss
// scale.
LearnerState with_huge_gradients(LearnerState state) {
  for (Tensor& tensor : state.tensors) {
    if (tensor.name != "output.weight") continue;
    for (float& weight : std::get<std::vector<float>>(tensor.values)) {
      weight = std::round(20'000 * weight);
    }
  }
  return state;
}

// Without a limit, and with one that clamps nearly all derivatives.
TEST_P(BackendSuite, MatchesDoubleWhereGradientsAreHuge) {
  for (const auto& [cells, limit] :
       {std::pair(40, 0.0), std::pair(128, 0.0), std::pair(40, 10.0), std::pair(128, 10.0)}) {
    SCOPED_TRACE(std::to_string(cells) + " cells, limit " + std::to_string(limit));
    const NetworkSpec spec{mixed_data(OutputKind::kSoftmax, 9), 1, cells};
    LearnerSettings settings = settings_for(ObjectiveKind::kMaximumLikelihood);
    settings.derivative_limit = limit;
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
      const double gradient = length(numbers(expected.tensors[i]));
      if (limit == 0) {
        EXPECT_GT(gradient, 100) << "the gradient must be huge";
      } else {
        EXPECT_LT(gradient, 100) << "the limit must hold";
      }
      // Losses are thousands of nats, so rounding of the logits, and with it of p - y, is large.
      EXPECT_LT(error(got.tensors[i], expected.tensors[i]), 5 * backend().tolerance.gradient);
    }
  }
}

// Gradients that explode once tend to explode again, so the scale stays low for a while.
TEST_P(BackendSuite, KeepsASmallerScaleAfterAnOverflow) {
  const NetworkSpec spec{mixed_data(OutputKind::kSoftmax, 9), 1, 40};
  LearnerSettings settings = settings_for(ObjectiveKind::kMaximumLikelihood);
  settings.derivative_limit = 0;
  const auto learner = backend().make(spec, settings, 3);
  const LearnerState start = learner->save();
  if (start.loss_scale <= 1) GTEST_SKIP() << "gradients are not scaled";
  const Batch batch = random_batch(spec.data, 8, 10, 1);
  learner->restore(with_huge_gradients(start));
  learner->train(batch, nullptr, {});
  LearnerState state = learner->save();
  const double lowered = state.loss_scale;
  EXPECT_LT(lowered, start.loss_scale);
  EXPECT_EQ(learner->vitals().repeated_updates, 1);

  // Combine the old weights with the new scale.
  state.tensors = start.tensors;
  learner->restore(state);
  learner->train(batch, nullptr, {});
  EXPECT_EQ(learner->save().loss_scale, lowered);
  for (int update = 0; update < 64; ++update) learner->train(batch, nullptr, {});
  EXPECT_EQ(learner->save().loss_scale, 2 * lowered);
  EXPECT_EQ(learner->vitals().repeated_updates, 1);
}

// The paper's learning rate and sizes, for character n-grams and for repeat copy. Gains are about
// 1e-5 of the losses whose difference they are.
TEST_P(BackendSuite, MeasuresPredictionGainsAsDoubleDoes) {
  const int cells = backend().on_gpu ? 512 : 64;
  const NetworkSpec specs[] = {{{{.tokens = 30}, {OutputKind::kSoftmax, 30}}, 2, cells},
                               {{{.bits = 9, .reals = 1}, {OutputKind::kSigmoid, 8}}, 1, cells}};
  for (const NetworkSpec& spec : specs) {
    LearnerSettings settings;
    settings.optimiser.learning_rate = 1e-5;
    settings.optimiser.epsilon = 1e-4;
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
              << ": relative error of prediction gain " << relative << '\n';
    EXPECT_LT(relative, backend().tolerance.gain);
  }
}

// 2,000 updates on a few recurring batches: curves of any precision must end at the same loss.
TEST_P(BackendSuite, FollowsTheLossCurveOfTheCpu) {
  if (!backend().on_gpu) GTEST_SKIP() << "this back end is the CPU";
  const NetworkSpec spec{{{.bits = 4}, {OutputKind::kSigmoid, 4}}, 1, 128};
  LearnerSettings settings;
  settings.optimiser.learning_rate = 1e-4;
  settings.optimiser.epsilon = 1e-4;
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
            << ", on the CPU " << expected / 200 << '\n';
  EXPECT_NEAR(got, expected, 0.03 * expected);
}

TEST_P(BackendSuite, ThrowsWhereTheGradientIsNotFinite) {
  if (!backend().on_gpu) GTEST_SKIP() << "the CPU returns the loss, and the syllabus rejects it";
  const NetworkSpec spec{mixed_data(OutputKind::kSoftmax, 9), 1, 128};
  const auto learner = backend().make(spec, settings_for(ObjectiveKind::kMaximumLikelihood), 3);
  LearnerState state = learner->save();
  std::get<std::vector<float>>(state.tensors[1].values)[5] = INFINITY;
  learner->restore(state);
  EXPECT_THROW(learner->train(random_batch(spec.data, 8, 10, 1), nullptr, {}), std::runtime_error);
}

}  // namespace
}  // namespace gradus
