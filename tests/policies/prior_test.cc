// SPDX-License-Identifier: Apache-2.0
// A prior: the distribution that a policy starts from and returns to if it learns nothing.

#include "gradus/policies/prior.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gradus/core/random.h"
#include "gradus/policies/policies.h"
#include "tests/refusal.h"

namespace gradus {
namespace {

using testing::HasSubstr;
using Numbers = std::vector<double>;

void expect_policy(const Policy& policy, const Numbers& expected, double tolerance = 1e-14) {
  for (int i = 0; i < policy.size(); ++i) {
    EXPECT_NEAR(policy.probability(i), expected[i], tolerance) << policy.name() << " task " << i;
  }
}

TEST(Prior, IsWhereEveryPolicyStarts) {
  for (const PolicyEntry& entry : policy_list()) {
    if (!policy_reads(entry.name, "prior")) continue;
    const auto policy = make_policy(entry.name, 3, {.prior = {1, 2, 5}});
    expect_policy(*policy, {0.125, 0.25, 0.625});
    policy->add_task();  // of mean weight 8/3
    expect_policy(*policy, {0.125 * 0.75, 0.25 * 0.75, 0.625 * 0.75, 0.25}, 1e-12);
    policy->remove_task(2);
    expect_policy(*policy, {3.0 / 17, 6.0 / 17, 8.0 / 17}, 1e-12);
  }
}

TEST(Prior, IsWherePoliciesStayIfAllTasksEarnTheSame) {
  for (const char* name : {"exp3s", "exp3", "exp3ix", "tsallis", "boltzmann"}) {
    for (const double reward : {0.0, 1.0, -0.5}) {
      const auto policy = make_policy(name, 3, {.prior = {1, 2, 5}});
      for (int i = 0; i < 50; ++i) policy->update_all(Numbers(3, reward));
      expect_policy(*policy, {0.125, 0.25, 0.625}, 1e-12);
    }
  }
}

// Prior 1/2, 1/4, 1/4, eps = 0.2 and eta = ln(2) / 2. A beta of 1e-18 changes nothing but the code
// that is used.
//
// t = 1, task 0 earns 1 at probability 1/2: a factor of 2. exp u = 1, 1/4, 1/4, of 3/2 in all;
// alpha = 1/2 and a = 3/4:  (2/3) / 4 + 3/8 = 13/24,  (1/6) / 4 + 3/16 = 11/48 twice.
// t = 2, task 1 earns -1 at probability 1/4: a factor of 1/4. exp u = 104, 11, 44, of 159 in all;
// alpha = 1/3 and a = 1/2:  52/159 + 1/4,  5.5/159 + 1/8,  22/159 + 1/8.
TEST(Prior, OfExp3SInTwoRoundsWorkedByHand) {
  for (const double beta : {0.0, 1e-18}) {
    const auto policy = make_exp3s(3, std::log(2) / 2, beta, 0.2, {2, 1, 1});
    policy->update(0, 0.5, 1);
    expect_policy(*policy, {0.8 * 13 / 24 + 0.1, 0.8 * 11 / 48 + 0.05, 0.8 * 11 / 48 + 0.05});
    policy->update(1, 0.25, -1);
    expect_policy(*policy, {0.8 * (52.0 / 159 + 0.25) + 0.1, 0.8 * (5.5 / 159 + 0.125) + 0.05,
                            0.8 * (22.0 / 159 + 0.125) + 0.05});
  }
}

// Weights 2 * 1/4 and 3/4, of 5/4 in all.
TEST(Prior, OfExp3MultipliesItsWeights) {
  const auto policy = make_exp3(2, std::log(2), {1, 3});
  policy->update_all(Numbers{1, 0});
  expect_policy(*policy, {0.4, 0.6});
}

// 4^Q as in boltzmann_test.cc: Q = 1/2 and -1/2, weights 2 * 1 and 1/2 * 4.
TEST(Prior, OfBoltzmannMultipliesItsWeights) {
  const auto policy = make_boltzmann(2, 0.5, 1 / std::log(4), 0, {1, 4});
  policy->update_all(Numbers{1, -1});
  expect_policy(*policy, {0.5, 0.5});
}

// Task 1 has the largest index, being the only one that was not drawn.
TEST(Prior, OfUcbSharesExploration) {
  for (const char* name : {"ducb", "swucb"}) {
    const auto policy = make_policy(name, 3, {.epsilon = 0.4, .prior = {1, 1, 2}});
    policy->update(0, 0.25, 1);
    policy->update(2, 0.5, 1);
    expect_policy(*policy, {0.1, 0.7, 0.2});
  }
}

// If all tasks earn the same, indexes differ by their bonus alone, and the policy keeps
// N_i / pi_0(i) equal. A window that forgets nothing, and a prior of 1/8, 2/8 and 5/8.
TEST(Prior, IsWhatUcbReturnsToIfTasksEarnTheSame) {
  for (const char* name : {"ducb", "swucb"}) {
    const auto policy = make_policy(name, 3, {.epsilon = 1e-9, .window = 1e6, .prior = {1, 2, 5}});
    Numbers drawn(3, 0);
    for (int round = 0; round < 800; ++round) {
      const int task = policy->draw(0.5);
      drawn[task] += 1;
      policy->update(task, policy->probability(task), 0.25);
    }
    EXPECT_NEAR(drawn[0], 100, 3) << name;
    EXPECT_NEAR(drawn[1], 200, 3) << name;
    EXPECT_NEAR(drawn[2], 500, 3) << name;
  }
}

// Both forms of Exp3.S over rounds that apply the lazy map several times.
TEST(Prior, IsTheSameForLazySharesAsForPlainOnes) {
  Numbers prior;
  for (int i = 0; i < 7; ++i) prior.push_back(1 + 10 * (i % 3));
  const auto lazy = make_exp3s(7, 0.1, 0, 0.05, prior);
  const auto plain = make_exp3s(7, 0.1, 1e-18, 0.05, prior);
  Random random(1, Purpose::kSample, 0);
  for (int round = 0; round < 4000; ++round) {
    const double u = random.uniform();
    const int task = lazy->draw(u);
    EXPECT_EQ(plain->draw(u), task);
    const double reward = task == round / 500 % 7 ? 1 : 2 * random.uniform() - 1;
    const double probability = lazy->probability(task);
    lazy->update(task, probability, reward);
    plain->update(task, probability, reward);
    for (int i = 0; i < 7; ++i) ASSERT_NEAR(lazy->probability(i), plain->probability(i), 1e-9);
  }
}

TEST(Prior, RefusesWhatIsNoDistribution) {
  const auto refusal = [](const Numbers& prior) {
    return refusal_of([&] { make_policy("exp3s", 2, {.prior = prior}); });
  };
  EXPECT_EQ(refusal({1}), "prior has 1 weights, expected one for each of 2 tasks");
  EXPECT_THAT(refusal({1, 0}), HasSubstr("prior of task 1 is 0, expected a weight above 0"));
  EXPECT_THAT(refusal({1, -1}), HasSubstr("prior of task 1 is -1"));
  EXPECT_THAT(refusal({1, std::nan("")}), HasSubstr("prior of task 1 is nan"));
  EXPECT_THAT(refusal({1, std::numeric_limits<double>::infinity()}),
              HasSubstr("prior of task 1 is inf"));
  EXPECT_THAT(refusal({1e308, 1e308}), HasSubstr("sum of the prior's weights is too large"));
  EXPECT_THAT(refusal({1, 1e-13}), HasSubstr("at least 1e-12 of their sum 1"));
  EXPECT_EQ(refusal_of([] {
              check_policy_settings("uniform", {.prior = {1, 1}});
            }),
            "policy uniform has no setting prior");
}

}  // namespace
}  // namespace gradus
