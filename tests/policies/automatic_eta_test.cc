// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gradus/core/random.h"
#include "gradus/policies/policies.h"
#include "tests/refusal.h"

namespace gradus {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// Worked by hand: ln 36 = 3.583519; divided by 900,000 it is 3.981688e-6, whose square root is
// 1.995417e-3.
TEST(AutomaticEta, HasTheValuesOfItsFormula) {
  EXPECT_NEAR(automatic_eta(36, 25'000), 3.990834e-3, 1e-9);
  EXPECT_NEAR(automatic_eta(2, 10'000), 1.177410e-2, 1e-8);
  EXPECT_DOUBLE_EQ(automatic_eta(11, 1000), 0.2 / 11);
  EXPECT_DOUBLE_EQ(automatic_eta(10'000, 300'000), 2e-5);
  EXPECT_EQ(automatic_eta(1, 1000), automatic_eta(2, 1000));
}

TEST(AutomaticEta, FallsWithTheRoundsAndFromThreeTasksOnWithTheTasks) {
  for (const int tasks : {1, 2, 3, 4, 11, 36, 169, 1000, 10'000}) {
    for (std::uint64_t rounds = 1; rounds < 1u << 30; rounds *= 2) {
      EXPECT_GT(automatic_eta(tasks, rounds), 0);
      EXPECT_LE(automatic_eta(tasks, 2 * rounds), automatic_eta(tasks, rounds));
      if (tasks < 3) continue;
      EXPECT_LT(automatic_eta(tasks + 1, rounds), automatic_eta(tasks, rounds));
    }
  }
}

// The probability of task 0 of 100 after a reward of 1, given its share before. The round is late,
// so that sharing changes almost nothing.
double rewarded(double share, double eta) {
  const auto policy = make_policy("exp3s", 100, {.eta = eta});
  std::vector<double> shares(100, (1 - share) / 99);
  shares[0] = share;
  policy->restore({{"round", 1'000'000'000}, {"shares", shares}});
  policy->update(0, policy->probability(0), 1);
  return policy->probability(0);
}

bool keeps_order(double eta) {
  double before = 0;
  for (double share = 1e-6; share < 0.5; share *= 1.1) {
    const double after = rewarded(share, eta);
    if (after <= before) return false;
    before = after;
  }
  return true;
}

// This is why eta is at most 0.2 / N.
TEST(AutomaticEta, IsTheLargestAtWhichAMoreProbableTaskStaysAheadAfterAReward) {
  const double limit = automatic_eta(100, 1);
  EXPECT_TRUE(keeps_order(limit));
  EXPECT_FALSE(keeps_order(1.1 * limit));
}

struct Outcome {
  double largest = 0;  // largest probability at the end
  double best = 0;     // share of the draws of the last quarter that go to task 0
};

// Rewards are 1 and -1. Their mean is `advantage` / 2 for task 0 and -`advantage` / 2 for the
// others.
Outcome play(const std::string& name, int tasks, std::int64_t rounds, std::optional<double> eta,
             double advantage) {
  const auto policy = make_policy(name, tasks, {.eta = eta});
  Random random(1, Purpose::kSample, 0);
  double best = 0;
  for (std::int64_t t = 0; t < rounds; ++t) {
    const int task = policy->draw(random.uniform());
    const double mean = task == 0 ? advantage / 2 : -advantage / 2;
    policy->update(task, policy->probability(task), random.uniform() < (1 + mean) / 2 ? 1 : -1);
    if (task == 0 && t >= rounds * 3 / 4) best += 4.0 / static_cast<double>(rounds);
  }
  const std::vector<double> p = policy->probabilities();
  return {*std::max_element(p.begin(), p.end()), best};
}

// By chance, `best` would be 0.25.
TEST(AutomaticEta, LearnsFromAThousandRoundsInWhichTheFixedRateLearnsNothing) {
  EXPECT_LT(play("exp3s", 4, 1000, 1e-3, 0.5).best, 0.35);
  EXPECT_GT(play("exp3s", 4, 1000, automatic_eta(4, 1000), 0.5).best, 0.65);
  EXPECT_GT(play("exp3s", 4, 1000, std::nullopt, 0.5).best, 0.65);
  EXPECT_GT(play("exp3", 4, 1000, automatic_eta(4, 1000), 0.5).best, 0.65);
}

TEST(AutomaticEta, IsNotCarriedAwayByNoiseOverManyTasksAsTheFixedRateIs) {
  EXPECT_GT(play("exp3s", 10'000, 10'000, 1e-3, 0).largest, 0.5);
  EXPECT_LT(play("exp3s", 10'000, 10'000, automatic_eta(10'000, 10'000), 0).largest, 1e-3);
  EXPECT_LT(play("exp3s", 10'000, 100'000, std::nullopt, 0).largest, 1e-3);
}

TEST(AutomaticEta, StaysNearUniformUnderNoiseOverFewTasksAndManyRounds) {
  EXPECT_LT(play("exp3s", 2, 100'000, automatic_eta(2, 100'000), 0).largest, 0.9);
  EXPECT_LT(play("exp3s", 36, 100'000, automatic_eta(36, 100'000), 0).largest, 0.2);
  EXPECT_LT(play("exp3s", 36, 100'000, std::nullopt, 0).largest, 0.25);
}

class UnknownRounds : public testing::TestWithParam<std::string> {
 protected:
  static double reward(int t) { return t % 3 == 0 ? -0.5 : 1; }
  static void teach(Policy& policy, int from, int to) {
    for (int t = from; t < to; ++t) policy.update(t % 2, 0.3, reward(t));
  }
};

INSTANTIATE_TEST_SUITE_P(Both, UnknownRounds, testing::Values("exp3s", "exp3"),
                         [](const auto& info) { return info.param; });

// Round t of the automatic policy equals round t of a policy whose eta is automatic_eta(tasks, t).
TEST_P(UnknownRounds, UseTheEtaForTheRoundsSoFar) {
  for (const double beta : {0.0, 0.01}) {
    const auto policy = make_policy(GetParam(), 2, {.beta = beta});
    for (int t = 1; t <= 500; ++t) {
      const auto fixed = make_policy(GetParam(), 2, {.eta = automatic_eta(2, t), .beta = beta});
      fixed->restore(policy->state());
      teach(*fixed, t, t + 1);
      teach(*policy, t, t + 1);
      ASSERT_EQ(fixed->probabilities(), policy->probabilities()) << t;
    }
  }
}

TEST_P(UnknownRounds, ContinueExactlyFromASavedState) {
  const auto whole = make_policy(GetParam(), 3, {});
  EXPECT_EQ(whole->settings()["eta"], "auto");
  teach(*whole, 0, 400);
  const auto resumed = make_policy(GetParam(), 3, read_policy_settings(whole->settings()));
  resumed->restore(json::parse(whole->state().dump()));
  teach(*whole, 400, 500);
  teach(*resumed, 400, 500);
  EXPECT_EQ(resumed->probabilities(), whole->probabilities());
  EXPECT_EQ(resumed->state(), whole->state());
}

TEST_P(UnknownRounds, GoOnWithTheEtaOfTheTasksThatAreThere) {
  const auto policy = make_policy(GetParam(), 2, {});
  teach(*policy, 0, 300);
  policy->add_task();
  EXPECT_EQ(policy->settings()["eta"], "auto");
  const auto fixed = make_policy(GetParam(), 3, {.eta = automatic_eta(3, 301)});
  fixed->restore(policy->state());
  teach(*fixed, 300, 301);
  teach(*policy, 300, 301);
  EXPECT_EQ(fixed->probabilities(), policy->probabilities());
}

TEST_P(UnknownRounds, RefuseADamagedStateOrSetting) {
  const auto policy = make_policy(GetParam(), 2, {});
  json state = policy->state();
  state["round"] = 0;
  EXPECT_THAT(refusal_of([&] { policy->restore(state); }), HasSubstr("round 0"));
  state.erase("round");
  EXPECT_THAT(refusal_of([&] { policy->restore(state); }), HasSubstr("round"));
  EXPECT_THAT(refusal_of([] {
                read_policy_settings({{"eta", "fast"}});
              }),
              HasSubstr(R"(eta is "fast", expected a number from 0 to 100 or "auto")"));
}

}  // namespace
}  // namespace gradus
