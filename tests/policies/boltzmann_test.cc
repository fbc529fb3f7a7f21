// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gradus/policies/policies.h"
#include "tests/refusal.h"

namespace gradus {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

// At this temperature exp(Q / T) is 4^Q.
const double kTemperature = 1 / std::log(4);

// discount = 1/2. Task 0 earns 1: Q_0 = 1/2, weights 2 to 1.
// Task 0 earns -1: Q_0 = 1/4 - 1/2 = -1/4, weights 1/sqrt(2) to 1, so 1 / (1 + sqrt(2)) = sqrt(2)
// - 1. Task 1 earns 1/2: Q_1 = 1/4, weights 1/sqrt(2) to sqrt(2).
TEST(Boltzmann, HasTheProbabilitiesWorkedByHand) {
  const auto policy = make_boltzmann(2, 0.5, kTemperature, 0);
  EXPECT_THAT(policy->probabilities(), ElementsAre(0.5, 0.5));
  policy->update(0, 0.5, 1);
  EXPECT_THAT(policy->probabilities(),
              ElementsAre(DoubleNear(2.0 / 3, 1e-15), DoubleNear(1.0 / 3, 1e-15)));
  policy->update(0, 0.1, -1);
  EXPECT_NEAR(policy->probability(0), std::sqrt(2) - 1, 1e-15);
  policy->update(1, 0.9, 0.5);
  EXPECT_NEAR(policy->probability(0), 1.0 / 3, 1e-15);
}

// 0.7 * 2/3 + 0.3 / 2 = 0.61666...
TEST(Boltzmann, MixesInExploration) {
  const auto policy = make_boltzmann(2, 0.5, kTemperature, 0.3);
  policy->update(0, 0.5, 1);
  EXPECT_NEAR(policy->probability(0), 0.37 / 0.6, 1e-15);
}

// The mean of the weights 2 and 1 is 1.5 = 4^Q.
TEST(Boltzmann, ANewTaskHasTheValueOfTheMeanWeight) {
  const auto policy = make_boltzmann(2, 0.5, kTemperature, 0);
  policy->update(0, 0.5, 1);
  policy->add_task();
  EXPECT_NEAR(policy->state()["values"][2].get<double>(), std::log(1.5) / std::log(4), 1e-15);
  policy->remove_task(0);
  EXPECT_THAT(policy->probabilities(), ElementsAre(DoubleNear(0.4, 1e-15), DoubleNear(0.6, 1e-15)));
}

TEST(Boltzmann, RefusesADamagedStateAndSettingsOutOfRange) {
  const auto policy = make_boltzmann(2, 0.5, 0.2, 0);
  EXPECT_THAT(refusal_of([&] {
                policy->restore({{"values", {0.5, 1.5}}});
              }),
              HasSubstr("a value of 1.5, expected -1 to 1"));
  EXPECT_THAT(refusal_of([&] { policy->restore({{"values", {0.5}}}); }), HasSubstr("expected 2"));
  EXPECT_THAT(refusal_of([] { make_boltzmann(2, 1, 0.2, 0); }), HasSubstr("discount is 1"));
  EXPECT_THAT(refusal_of([] { make_boltzmann(2, 0.9, 0.001, 0); }),
              HasSubstr("temperature is 0.001, expected a number from 0.01 to 1e+06"));
  EXPECT_THAT(refusal_of([] { make_boltzmann(2, 0.9, 0.2, 2); }), HasSubstr("epsilon is 2"));
}

}  // namespace
}  // namespace gradus
