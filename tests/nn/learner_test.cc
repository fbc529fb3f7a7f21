// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/learner.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gradus/core/error.h"
#include "tests/nn/random_batch.h"

namespace gradus {
namespace {

NetworkSpec network(OutputKind kind, int layers, int cells) {
  return {mixed_data(kind, 4), layers, cells};
}

LearnerSettings settings_for(ObjectiveKind kind, int threads = 1) {
  LearnerSettings settings;
  settings.objective.kind = kind;
  settings.objective.total_sequences = 1000;
  settings.optimiser.learning_rate = 1e-3;
  settings.threads = threads;
  return settings;
}

std::vector<float> train(ObjectiveKind kind, int threads, std::vector<double>* losses) {
  const NetworkSpec spec = network(OutputKind::kSoftmax, 2, 20);
  CpuLearner<float> learner(spec, settings_for(kind, threads), 3);
  Needs needs{.loss_after = true,
              .probe = Probe::kSameTask,
              .probe_after = true,
              .probe_dot_gradient = true,
              .gradient_norm = true};
  if (kind == ObjectiveKind::kVariational) needs.kl = needs.kl_dot_gradient = true;
  for (int update = 0; update < 5; ++update) {
    const Batch x = random_batch(spec.data, 37, 15, 100 + update);
    const Batch probe = random_batch(spec.data, 21, 15, 200 + update);
    const Measurements m = learner.train(x, &probe, needs);
    for (const double value : {m.loss_before, m.loss_after, m.probe_before, m.probe_after,
                               m.probe_dot_gradient, m.gradient_norm}) {
      losses->push_back(value);
    }
    if (needs.kl) losses->push_back(m.kl_after - m.kl_before + m.kl_dot_gradient);
  }
  return {learner.trained().begin(), learner.trained().end()};
}

TEST(CpuLearner, GivesTheSameBitsWithAnyNumberOfThreads) {
  for (const ObjectiveKind kind :
       {ObjectiveKind::kMaximumLikelihood, ObjectiveKind::kL2, ObjectiveKind::kVariational}) {
    std::vector<double> one_losses, two_losses, five_losses;
    const std::vector<float> one = train(kind, 1, &one_losses);
    EXPECT_EQ(one, train(kind, 2, &two_losses));
    EXPECT_EQ(one, train(kind, 5, &five_losses));
    EXPECT_EQ(one_losses, two_losses);
    EXPECT_EQ(one_losses, five_losses);
  }
}

TEST(CpuLearner, GoesOnFromASavedStateToTheBit) {
  const NetworkSpec spec = network(OutputKind::kSoftmax, 2, 20);
  const Needs needs{.loss_after = true, .gradient_norm = true};
  for (const ObjectiveKind kind :
       {ObjectiveKind::kMaximumLikelihood, ObjectiveKind::kL2, ObjectiveKind::kVariational}) {
    CpuLearner<float> straight(spec, settings_for(kind), 3);
    for (int update = 0; update < 3; ++update) {
      straight.train(random_batch(spec.data, 8, 9, update), nullptr, needs);
    }
    CpuLearner<float> resumed(spec, settings_for(kind), 3);
    resumed.restore(straight.save());
    EXPECT_EQ(resumed.save(), straight.save());
    for (int update = 3; update < 6; ++update) {
      const Batch batch = random_batch(spec.data, 8, 9, update);
      const Measurements a = straight.train(batch, nullptr, needs);
      const Measurements b = resumed.train(batch, nullptr, needs);
      EXPECT_EQ(a.loss_after, b.loss_after);
      EXPECT_EQ(a.gradient_norm, b.gradient_norm);
    }
    EXPECT_EQ(resumed.save(), straight.save());
    EXPECT_EQ(resumed.vitals().weight_norm, straight.vitals().weight_norm);
  }
}

TEST(CpuLearner, RefusesAnotherNetworksStateAndStaysAsItWas) {
  CpuLearner<float> learner(network(OutputKind::kSoftmax, 1, 20),
                            settings_for(ObjectiveKind::kMaximumLikelihood), 3);
  const LearnerState mine = learner.save();
  CpuLearner<float> wider(network(OutputKind::kSoftmax, 1, 21),
                          settings_for(ObjectiveKind::kMaximumLikelihood), 3);
  CpuLearner<double> longer(network(OutputKind::kSoftmax, 1, 20),
                            settings_for(ObjectiveKind::kMaximumLikelihood), 3);
  CpuLearner<float> bayesian(network(OutputKind::kSoftmax, 1, 20),
                             settings_for(ObjectiveKind::kVariational), 3);
  EXPECT_THROW(learner.restore(wider.save()), InputError);
  EXPECT_THROW(learner.restore(longer.save()), InputError);
  EXPECT_THROW(learner.restore(bayesian.save()), InputError);
  EXPECT_EQ(learner.save(), mine);
}

TEST(CpuLearner, MeasuresWhatIsAskedForAndNothingElse) {
  const NetworkSpec spec = network(OutputKind::kSigmoid, 1, 6);
  const Batch batch = random_batch(spec.data, 5, 6, 1);
  CpuLearner<float> learner(spec, settings_for(ObjectiveKind::kL2), 3);
  const Measurements plain = learner.train(batch, nullptr, {});
  EXPECT_TRUE(std::isfinite(plain.loss_before));
  for (const double value :
       {plain.loss_after, plain.probe_before, plain.probe_after, plain.gradient_norm,
        plain.weights_dot_gradient, plain.weight_norm_before, plain.weight_norm_after,
        plain.kl_before, plain.kl_after, plain.kl_dot_gradient}) {
    EXPECT_TRUE(std::isnan(value));
  }
  const Measurements norms = learner.train(batch, nullptr, {.weight_norm = true});
  EXPECT_TRUE(std::isfinite(norms.weight_norm_after));
  EXPECT_TRUE(std::isnan(norms.loss_after));
}

// The loss after an update, the loss before the next one on the same batch, and that of evaluate()
// must be equal: all three measure the same thing.
TEST(CpuLearner, MeasuresLossAfterAsTheNextUpdateSeesIt) {
  const NetworkSpec spec = network(OutputKind::kSoftmax, 1, 16);
  const Batch batch = random_batch(spec.data, 20, 10, 1);
  CpuLearner<float> learner(spec, settings_for(ObjectiveKind::kMaximumLikelihood), 3);
  const Measurements first = learner.train(batch, nullptr, {.loss_after = true});
  EXPECT_EQ(learner.evaluate(batch).total_loss / batch.sequences, first.loss_after);
  const Measurements second = learner.train(batch, nullptr, {});
  EXPECT_EQ(second.loss_before, first.loss_after);
  EXPECT_LT(first.loss_after, first.loss_before);
}

TEST(CpuLearner, LearnsARandomBatchByHeart) {
  for (const ObjectiveKind kind :
       {ObjectiveKind::kMaximumLikelihood, ObjectiveKind::kL2, ObjectiveKind::kVariational}) {
    const NetworkSpec spec = network(OutputKind::kSoftmax, 1, 32);
    const Batch batch = random_batch(spec.data, 4, 6, 5);
    LearnerSettings settings = settings_for(kind);
    settings.objective.total_sequences = 1e6;  // so that the KL has little weight
    CpuLearner<float> learner(spec, settings, 3);
    const double before = learner.evaluate(batch).loss_per_output();
    for (int update = 0; update < 400; ++update) learner.train(batch, nullptr, {});
    EXPECT_LT(learner.evaluate(batch).loss_per_output(), 0.2 * before) << to_string(kind);
  }
}

TEST(CpuLearner, ClipsLongGradients) {
  const NetworkSpec spec = network(OutputKind::kSoftmax, 1, 8);
  const Batch batch = random_batch(spec.data, 4, 6, 5);
  LearnerSettings settings = settings_for(ObjectiveKind::kMaximumLikelihood);
  CpuLearner<double> free(spec, settings, 3);
  const double length =
      std::sqrt(free.train(batch, nullptr, {.gradient_norm = true}).gradient_norm);
  settings.optimiser.clip = length / 10;
  CpuLearner<double> clipped(spec, settings, 3);
  clipped.train(batch, nullptr, {});
  // After one update v = 0.0475 g^2, so a gradient of a tenth of the length gives a hundredth of v.
  for (std::size_t i = 0; i < free.trained().size(); ++i) {
    ASSERT_NEAR(clipped.optimiser().variances()[i], free.optimiser().variances()[i] / 100, 1e-15);
  }
}

TEST(CpuLearner, RefusesImpossibleObjectiveSettings) {
  const NetworkSpec spec = network(OutputKind::kSoftmax, 1, 4);
  LearnerSettings settings = settings_for(ObjectiveKind::kVariational);
  settings.objective.prior_width = 0;
  EXPECT_THROW(CpuLearner<float>(spec, settings, 1), InputError);
  settings = settings_for(ObjectiveKind::kL2);
  settings.objective.decay = -1;
  EXPECT_THROW(CpuLearner<float>(spec, settings, 1), InputError);
}

}  // namespace
}  // namespace gradus
