// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gradus/policies/policies.h"
#include "tests/refusal.h"

namespace gradus {
namespace {

using testing::HasSubstr;

// Two tasks: eta_t = sqrt(ln(2) / (2 t)) = 0.588705, 0.416277, 0.339889.
// Task 0 earns -1, a loss of 1, at 1/2: L_0 = 1 / (0.5 + 0.294353) = 1.258887;
//   pi(0) = 1 / (1 + exp(0.416277 * 1.258887)) = 0.371907.
// Task 1 earns 0, a loss of 1/2, at 0.628093: L_1 = 0.5 / (0.628093 + 0.208139) = 0.597920;
//   pi(0) = 1 / (1 + exp(0.339889 * (1.258887 - 0.597920))) = 0.444071.
TEST(Exp3Ix, HasTheProbabilitiesWorkedByHand) {
  const auto policy = make_exp3ix(2);
  EXPECT_EQ(policy->probability(0), 0.5);
  policy->update(0, 0.5, -1);
  EXPECT_NEAR(policy->probability(0), 0.371907, 1e-6);
  policy->update(1, policy->probability(1), 0);
  EXPECT_NEAR(policy->probability(0), 0.444071, 1e-6);
}

// The estimate of a loss is at most 1 / gamma, however small the probability of the draw was.
TEST(Exp3Ix, ADrawOfAlmostNoProbabilityChangesABoundedAmount) {
  const auto policy = make_exp3ix(2);
  policy->update(0, 1e-300, -1);
  EXPECT_NEAR(policy->state()["losses"][0].get<double>(), 2 / 0.588705, 1e-5);
}

TEST(Exp3Ix, ProbabilitiesStayPositiveAfterAnyLosses) {
  const auto policy = make_exp3ix(3);
  policy->restore({{"round", 5}, {"losses", {0.0, 1e9, 1e150}}});
  for (const double p : policy->probabilities()) EXPECT_GT(p, 0);
  policy->remove_task(0);
  for (const double p : policy->probabilities()) EXPECT_GT(p, 0);
}

TEST(Exp3Ix, RefusesADamagedState) {
  const auto policy = make_exp3ix(2);
  EXPECT_THAT(refusal_of([&] {
                policy->restore({{"round", 0}, {"losses", {0, 0}}});
              }),
              HasSubstr("round 0"));
  EXPECT_THAT(refusal_of([&] {
                policy->restore({{"round", 1}, {"losses", {0}}});
              }),
              HasSubstr("expected 2"));
}

}  // namespace
}  // namespace gradus
