// SPDX-License-Identifier: Apache-2.0
// Learning from the rewards of all tasks in one round.

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gradus/policies/policies.h"
#include "tests/refusal.h"

namespace gradus {
namespace {

using nlohmann::json;
using Rewards = std::vector<double>;

void expect_policy(const Policy& policy, const std::vector<double>& expected) {
  for (int i = 0; i < policy.size(); ++i) EXPECT_NEAR(policy.probability(i), expected[i], 1e-14);
}

// eta = ln(2): weights 2 to 1, then 2 to 2.
TEST(UpdateAll, Exp3IsHedge) {
  const auto policy = make_exp3(2, std::log(2));
  policy->update_all(Rewards{1, 0});
  expect_policy(*policy, {2.0 / 3, 1.0 / 3});
  policy->update_all(Rewards{0, 1});
  expect_policy(*policy, {0.5, 0.5});
}

// eta = ln(2): weights 2, 1, 1. In round 1, alpha = 1/2 and each gives 1/4 to each other one:
// 2/2 + 2/4 = 1.5 and 1/2 + 3/4 = 1.25, of 4 in all.
// Rewards -1, 0, 0: 0.75, 1.25, 1.25. alpha = 1/3, each gives 1/6:
// 0.75 * 2/3 + 2.5/6 = 11/12 and 1.25 * 2/3 + 2/6 = 14/12, of 3.25 = 39/12 in all.
TEST(UpdateAll, Exp3SIsHedgeWithSharing) {
  for (const double beta : {0.0, 0.25}) {
    const auto policy = make_exp3s(3, std::log(2), beta, 0);
    policy->update_all(Rewards{1, 0, 0});
    expect_policy(*policy, {0.375, 0.3125, 0.3125});
    policy->update_all(Rewards{-1, 0, 0});
    expect_policy(*policy, {11.0 / 39, 14.0 / 39, 14.0 / 39});
  }
}

// 4^Q as in boltzmann_test.cc: Q = 1/2, -1/2, weights 2 and 1/2.
TEST(UpdateAll, BoltzmannMovesAllValues) {
  const auto policy = make_boltzmann(2, 0.5, 1 / std::log(4), 0);
  policy->update_all(Rewards{1, -1});
  expect_policy(*policy, {0.8, 0.2});
}

// As in tsallis_test.cc, in round 3: L_1 = 2 sqrt(3.75) / 2, so L_1 / sqrt(3) = sqrt(1.25).
TEST(UpdateAll, TsallisAddsUpLosses) {
  const auto policy = make_tsallis(2);
  for (int i = 0; i < 2; ++i) policy->update_all(Rewards{1, 1 - std::sqrt(3.75)});
  expect_policy(*policy, {0.8, 0.2});
}

// L = 0, 1 and eta_2 = 0.416277: 1 / (1 + exp(-0.416277)) = 0.602592.
TEST(UpdateAll, Exp3IxAddsUpLosses) {
  const auto policy = make_exp3ix(2);
  policy->update_all(Rewards{1, -1});
  EXPECT_NEAR(policy->probability(0), 0.602592, 1e-6);
}

TEST(UpdateAll, BaselinesIgnoreIt) {
  const auto policy = make_fixed({0.25, 0.75});
  policy->update_all(Rewards{1, -1});
  expect_policy(*policy, {0.25, 0.75});
}

TEST(UpdateAll, OtherPoliciesSayThatTheyCannot) {
  for (const char* name : {"ducb", "swucb", "thompson", "corral"}) {
    const auto policy = make_policy(name, 2, {});
    const json before = policy->state();
    EXPECT_EQ(refusal_of([&] {
                policy->update_all(Rewards{1, -1});
              }),
              std::string("policy ") + name +
                  " cannot learn from the rewards of all tasks at once, expected the reward of one "
                  "task");
    EXPECT_EQ(policy->state(), before);
  }
}

// The lazily kept shares go on exactly from the state that the policy saves.
TEST(UpdateAll, ThenUpdateAndRestoreContinueExactly) {
  for (const char* name : {"exp3s", "exp3", "exp3ix", "tsallis", "boltzmann"}) {
    const auto original = make_policy(name, 3, {});
    const auto restored = make_policy(name, 3, {});
    for (int i = 0; i < 20; ++i) {
      original->update_all(Rewards{0.1 * (i % 5), -0.5, 0.3});
      original->update(i % 3, 0.3, 0.5);
      restored->restore(json::parse(original->state().dump()));
      ASSERT_EQ(restored->probabilities(), original->probabilities()) << name;
    }
  }
}

}  // namespace
}  // namespace gradus
