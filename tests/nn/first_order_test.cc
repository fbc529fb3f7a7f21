// SPDX-License-Identifier: Apache-2.0
// For a small plain gradient step, each gradient gain is the first-order approximation of the
// corresponding gain (paper, sections 3.1 and 3.2). A step of size s moves phi by -s grad, so
//
//   PG  = s GPG + O(s^2)                L2G = s (2 GL2G) + O(s^2)
//   SPG = s GSPG + O(s^2), and likewise TPG and MPG
//   VCG = s (GVCG + C) + O(s^2)         C = -|grad KL|^2 / S, the same for every batch
//
// with the derived sign. So the error divided by s halves when s halves; with any other sign or
// factor it does not.

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "gradus/gains/gains.h"
#include "gradus/nn/cpu/learner.h"
#include "tests/nn/random_batch.h"

namespace gradus {
namespace {

// With decay 1 the averages of RMSProp stay 0, and sqrt(0 + 1) = 1, so theta -= step * gradient.
RmsPropSettings plain_gradient(double step) {
  return {.learning_rate = step, .momentum = 0, .decay = 1, .epsilon = 1};
}

Measurements measure(const ObjectiveSettings& objective, const Needs& needs, double step,
                     std::uint64_t batch) {
  const NetworkSpec spec{mixed_data(OutputKind::kSoftmax, 5), 2, 6};
  LearnerSettings settings;
  settings.objective = objective;
  settings.optimiser = plain_gradient(step);
  CpuLearner<double> learner(spec, settings, 1);
  const Batch probe = random_batch(spec.data, 7, 8, batch + 100);
  return learner.train(random_batch(spec.data, 6, 8, batch),
                       needs.probe == Probe::kNone ? nullptr : &probe, needs);
}

double progress(const char* gain, const Measurements& measured, Sign sign = Sign::kDerived) {
  return make_gain(gain, {.sign = sign})->progress("", measured);
}

// The error divided by the step must go to 0 in proportion to the step.
void expect_first_order(const std::function<double(double)>& relative_error) {
  double coarse = relative_error(1e-3);
  for (double step = 5e-4; step > 5e-5; step /= 2) {
    const double fine = relative_error(step);
    EXPECT_NEAR(coarse / fine, 2, 0.1) << "halving the step to " << step;
    coarse = fine;
  }
  EXPECT_LT(std::abs(coarse), 0.01);
}

ObjectiveSettings variational(PriorKind prior, double sequences) {
  return {.kind = ObjectiveKind::kVariational,
          .prior = prior,
          .posterior_width = 0.3,
          .prior_width = 0.5,
          .total_sequences = sequences};
}

TEST(FirstOrder, PredictionGainIsTheStepTimesItsGradientGain) {
  expect_first_order([](double step) {
    const Measurements m = measure({}, {.loss_after = true, .gradient_norm = true}, step, 1);
    return progress("pg", m) / (step * progress("gpg", m)) - 1;
  });
}

TEST(FirstOrder, ProbeGainsAreTheStepTimesTheirGradientGains) {
  for (const ObjectiveSettings& objective :
       {ObjectiveSettings{}, variational(PriorKind::kGlobal, 1e15)}) {
    expect_first_order([&](double step) {
      const Measurements m = measure(
          objective, {.probe = Probe::kSameTask, .probe_after = true, .probe_dot_gradient = true},
          step, 1);
      return progress("spg", m) / (step * progress("gspg", m)) - 1;
    });
  }
}

TEST(FirstOrder, L2GainIsTwiceTheStepTimesItsGradientGain) {
  expect_first_order([](double step) {
    const Measurements m =
        measure({}, {.weights_dot_gradient = true, .weight_norm = true}, step, 1);
    return progress("l2g", m) / (step * 2 * progress("gl2g", m)) - 1;
  });
}

TEST(FirstOrder, L2RegularisationAddsItsOwnDecayToL2Gain) {
  const double decay = 0.3;
  expect_first_order([&](double step) {
    const Measurements m = measure({.kind = ObjectiveKind::kL2, .decay = decay},
                                   {.weights_dot_gradient = true, .weight_norm = true}, step, 1);
    const double slope = 2 * (progress("gl2g", m) - decay * m.weight_norm_before);
    return progress("l2g", m) / (step * slope) - 1;
  });
}

constexpr Needs kComplexity{.gradient_norm = true, .kl = true, .kl_dot_gradient = true};

// S is so large that the objective is the data loss alone and C is negligible.
TEST(FirstOrder, VariationalComplexityGainIsTheStepTimesItsGradientGain) {
  for (const PriorKind prior : {PriorKind::kGlobal, PriorKind::kTensor, PriorKind::kWeight}) {
    expect_first_order([&](double step) {
      const Measurements m = measure(variational(prior, 1e15), kComplexity, step, 2);
      return progress("vcg", m) / (step * progress("gvcg", m)) - 1;
    });
  }
}

// With a realistic S, the KL term also reduces itself, by a C that does not depend on the batch.
TEST(FirstOrder, WhatTheKlAddsToComplexityGainDoesNotDependOnTheBatch) {
  for (const PriorKind prior : {PriorKind::kGlobal, PriorKind::kTensor, PriorKind::kWeight}) {
    const auto constant = [&](double step, std::uint64_t batch) {
      const Measurements m = measure(variational(prior, 100), kComplexity, step, batch);
      return progress("vcg", m) / step - progress("gvcg", m);
    };
    EXPECT_LT(constant(1e-5, 2), 0);
    EXPECT_NEAR(constant(1e-5, 2) / constant(1e-5, 3), 1, 1e-3);
    // The limit for steps towards 0, extrapolated: a tiny step would lose it to rounding.
    const double limit = 2 * constant(1e-5, 2) - constant(2e-5, 2);
    expect_first_order([&](double step) { return constant(step, 2) / limit - 1; });
  }
}

TEST(FirstOrder, VariationalPredictionGainFollowsTheGradientByMeansAndWidths) {
  expect_first_order([](double step) {
    const Measurements m = measure(variational(PriorKind::kGlobal, 1e15),
                                   {.loss_after = true, .gradient_norm = true}, step, 2);
    return progress("pg", m) / (step * progress("gpg", m)) - 1;
  });
}

TEST(FirstOrder, ThePrintedSignPointsTheOtherWay) {
  const Measurements vi = measure(variational(PriorKind::kGlobal, 1e15), kComplexity, 1e-4, 2);
  EXPECT_LT(progress("vcg", vi) * progress("gvcg", vi, Sign::kPrinted), 0);
  const Measurements ml = measure({}, {.weights_dot_gradient = true, .weight_norm = true}, 1e-4, 1);
  EXPECT_LT(progress("l2g", ml) * progress("gl2g", ml, Sign::kPrinted), 0);
}

}  // namespace
}  // namespace gradus
