// SPDX-License-Identifier: Apache-2.0
// Discounted and sliding-window UCB.

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
using testing::Each;
using testing::HasSubstr;

// Two tasks and epsilon = 0.2: the favoured task has 0.9.
void expect_favoured(const Policy& policy, int task) {
  EXPECT_NEAR(policy.probability(task), 0.9, 1e-15);
  EXPECT_NEAR(policy.probability(1 - task), 0.1, 1e-15);
}

// window = 2, so g = 1/2. Task 0 earns 1: task 1 has no reward yet.
// Task 1 earns 0: N = 0.5, 1; S = 0.5, 0; 2 sqrt(ln(1.5) / 2) = 0.9005;
//   indexes 1 + 0.9005 / sqrt(0.5) = 2.274 and 0.9005.
// Task 0 earns -1: N = 1.25, 0.5; S = -0.75, 0; 2 sqrt(ln(1.75) / 2) = 1.0579;
//   indexes -0.6 + 1.0579 / sqrt(1.25) = 0.346 and 1.0579 / sqrt(0.5) = 1.496.
TEST(DiscountedUcb, FavoursTheTasksWorkedByHand) {
  const auto policy = make_ducb(2, 2, 0.2);
  EXPECT_THAT(policy->probabilities(), Each(0.5));
  policy->update(0, 0.5, 1);
  expect_favoured(*policy, 1);
  policy->update(1, 0.9, 0);
  expect_favoured(*policy, 0);
  policy->update(0, 0.9, -1);
  expect_favoured(*policy, 1);
  EXPECT_EQ(policy->state(), json({{"counts", {1.25, 0.5}}, {"sums", {-0.75, 0.0}}}));
}

// N = 4, 1 and S = x, 0: 2 sqrt(ln(5) / 2) = 1.794123, so the indexes are x / 4 + 0.897061 and
// 1.794123, equal at x = 3.588245.
TEST(DiscountedUcb, ChangesItsTaskAtTheIndexWorkedByHand) {
  const auto policy = make_ducb(2, 10, 0.2);
  policy->restore({{"counts", {4, 1}}, {"sums", {3.58824, 0}}});
  expect_favoured(*policy, 1);
  policy->restore({{"counts", {4, 1}}, {"sums", {3.58825, 0}}});
  expect_favoured(*policy, 0);
}

// window = 3. Rewards of task 0: 1, then of task 1: 0, then of task 0: -1. N = 2, 1; S = 0, 0.
// Task 1 earns 0.5, which pushes out the first: N = 1, 2; S = -1, 0.5; 2 sqrt(ln(3) / 2) = 1.4823;
//   indexes -1 + 1.4823 = 0.482 and 0.25 + 1.4823 / sqrt(2) = 1.298.
// Task 1 earns -1: N = 1, 2; S = -1, -0.5; indexes 0.482 and -0.25 + 1.048 = 0.798.
// Task 1 earns -1: task 0 has no reward left.
TEST(SlidingWindowUcb, FavoursTheTasksWorkedByHand) {
  const auto policy = make_swucb(2, 3, 0.2);
  EXPECT_THAT(policy->probabilities(), Each(0.5));
  policy->update(0, 0.5, 1);
  expect_favoured(*policy, 1);
  policy->update(1, 0.9, 0);
  policy->update(0, 0.9, -1);
  expect_favoured(*policy, 1);
  policy->update(1, 0.9, 0.5);
  expect_favoured(*policy, 1);
  policy->update(1, 0.9, -1);
  expect_favoured(*policy, 1);
  policy->update(1, 0.9, -1);
  expect_favoured(*policy, 0);
  EXPECT_EQ(policy->state(),
            json({{"tasks", {1, 1, 1}}, {"rewards", {0.5, -1.0, -1.0}}, {"sums", {0.0, -1.5}}}));
}

TEST(SlidingWindowUcb, ForgetsTheRewardsOfARemovedTask) {
  const auto policy = make_swucb(3, 10, 0.3);
  for (int i = 0; i < 6; ++i) policy->update(i % 3, 0.5, 0.25 * (i % 3));
  policy->remove_task(1);
  EXPECT_EQ(
      policy->state(),
      json({{"tasks", {0, 1, 0, 1}}, {"rewards", {0.0, 0.5, 0.0, 0.5}}, {"sums", {0.0, 1.0}}}));
}

// Two tasks remember 200 rewards; one task remembers the last 100 of its own 120.
TEST(SlidingWindowUcb, AnAutomaticWindowFollowsTheNumberOfTasks) {
  const auto policy = make_swucb(2, {}, 0.3);
  for (int i = 0; i < 200; ++i) policy->update(i < 120 ? 0 : 1, 0.5, 0);
  policy->remove_task(1);
  EXPECT_EQ(policy->state()["rewards"].size(), 100u);
}

class Ucb : public testing::TestWithParam<std::string> {
 protected:
  static std::unique_ptr<Policy> make(int tasks, const PolicySettings& settings = {}) {
    return make_policy(GetParam(), tasks, settings);
  }
};

INSTANTIATE_TEST_SUITE_P(Both, Ucb, testing::Values("ducb", "swucb"),
                         [](const auto& info) { return info.param; });

TEST_P(Ucb, DrawsEveryTaskOnceThenANewOneFirst) {
  const auto policy = make(4, {.epsilon = 0.04});
  for (int i = 0; i < 4; ++i) {
    for (int task = i; task < 4; ++task) {
      EXPECT_NEAR(policy->probability(task), 0.01 + 0.96 / (4 - i), 1e-15);
    }
    policy->update(i, policy->probability(i), 0.1 * i);
  }
  policy->add_task();
  EXPECT_NEAR(policy->probability(4), 0.968, 1e-15);
}

TEST_P(Ucb, RefusesNoExplorationAndABadWindow) {
  EXPECT_THAT(refusal_of([] { make(2, {.epsilon = 0}); }),
              HasSubstr("epsilon is 0, expected a number above 0"));
  for (const double window : {0.0, 2.5, -1.0, 2e9, std::nan("")}) {
    EXPECT_THAT(refusal_of([&] { make(2, {.window = window}); }), HasSubstr("expected a"));
  }
}

struct Damage {
  const char* policy;
  const char* state;
  const char* message;
};

TEST(Ucb, RefusesADamagedStateAndStaysAsItWas) {
  const Damage damages[] = {
      {"ducb", R"({"counts": [1, -1], "sums": [0, 0]})", "-1 rewards of task 1 that sum to 0"},
      {"ducb", R"({"counts": [1, 1], "sums": [0, 2]})", "1 rewards of task 1 that sum to 2"},
      {"ducb", R"({"counts": [1, 1]})", "no \"sums\""},
      {"swucb", R"({"tasks": [2], "rewards": [1], "sums": [0, 0]})", "task 2, expected"},
      {"swucb", R"({"tasks": [0], "rewards": [3], "sums": [3, 0]})", "a reward of 3"},
      {"swucb", R"({"tasks": [0], "rewards": [1], "sums": [0, 0]})", "a sum of 0 for task 0"},
      {"swucb", R"({"tasks": [0], "rewards": [1, 1], "sums": [2, 0]})", "expected 2"},
      {"swucb", R"({"tasks": [0,0,0,0], "rewards": [1,1,1,1], "sums": [4, 0]})", "at most 3"},
  };
  for (const Damage& damage : damages) {
    const auto policy = make_policy(damage.policy, 2, {.window = 3});
    policy->update(0, 0.5, 1);
    const json before = policy->state();
    EXPECT_THAT(refusal_of([&] { policy->restore(json::parse(damage.state)); }),
                HasSubstr(damage.message));
    EXPECT_EQ(policy->state(), before);
  }
}

}  // namespace
}  // namespace gradus
