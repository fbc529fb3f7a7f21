// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "gradus/core/error.h"
#include "gradus/core/random.h"
#include "gradus/policies/policies.h"
#include "tests/policies/slow_exp3s.h"

namespace gradus {
namespace {

using nlohmann::json;
using testing::HasSubstr;

void expect_policy(const Policy& policy, const std::vector<double>& expected) {
  ASSERT_EQ(policy.probabilities().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(policy.probability(static_cast<int>(i)), expected[i], 1e-14) << "task " << i;
    EXPECT_EQ(policy.probability(static_cast<int>(i)), policy.probabilities()[i]);
  }
}

TEST(Exp3S, StartsUniform) {
  expect_policy(*make_exp3s(4, 1e-3, 0, 0.05), {0.25, 0.25, 0.25, 0.25});
}

// Three tasks, eps = 0.12, eta = ln(4)/3, so that a reward of 1 at probability 1/3 multiplies a
// weight by 4 and one of -1 divides it by 4.
//
// t = 1, task 0 earns 1: exp u = 4, 1, 1; alpha = 1/2, alpha / (N-1) = 1/4:
//   exp w_0 = 4/2 + 2/4 = 2.5, the others 1/2 + 5/4 = 1.75; divided by 6: 5/12, 7/24, 7/24.
// t = 2, task 1 earns -1, drawn in round 1 with probability 1/3: exp u = 2.5, 1.75/4 =
// 0.4375, 1.75; alpha = 1/3, alpha / (N-1) = 1/6:
//   exp w_0 = 2/3 * 2.5    + (0.4375 + 1.75)/6 = 2.03125
//   exp w_1 = 2/3 * 0.4375 + (2.5 + 1.75)/6    = 1
//   exp w_2 = 2/3 * 1.75   + (2.5 + 0.4375)/6  = 1.65625; divided by 4.6875.
TEST(Exp3S, FollowsTwoRoundsWorkedByHand) {
  const auto policy = make_exp3s(3, std::log(4) / 3, 0, 0.12);
  policy->update(0, 1.0 / 3, 1);
  expect_policy(*policy, {0.88 * 5 / 12 + 0.04, 0.88 * 7 / 24 + 0.04, 0.88 * 7 / 24 + 0.04});
  policy->update(1, 1.0 / 3, -1);
  expect_policy(*policy, {0.88 * 2.03125 / 4.6875 + 0.04, 0.88 * 1 / 4.6875 + 0.04,
                          0.88 * 1.65625 / 4.6875 + 0.04});
}

// With two tasks and alpha = 1/2 both end up with equal shares, so the first reward changes
// nothing. The second multiplies a weight by e (eta / p = 1), and alpha is 1/3: exp w = (2e + 1)/3
// and (2 + e)/3.
TEST(Exp3S, OfTwoTasksForgetsTheFirstRewardAndSharesAThirdOfTheSecond) {
  const auto policy = make_exp3s(2, 0.5, 0, 0.2);
  policy->update(0, 0.5, 1);
  expect_policy(*policy, {0.5, 0.5});
  policy->update(0, 0.5, 1);
  const double e = std::exp(1);
  expect_policy(*policy,
                {0.8 * (2 * e + 1) / (3 * e + 3) + 0.1, 0.8 * (2 + e) / (3 * e + 3) + 0.1});
}

// Starting from the uniform policy, beta multiplies all weights by the same factor, so round 1 is
// the same as without it: 5/12, 7/24, 7/24. Round 2 has eps = 0, reward 0 and beta b, so that exp
// u_i = p_i exp(eta b / p_i). The rewarded task's p is that of its ticket, here 1/2. alpha = 1/3.
TEST(Exp3S, BetaDividesByTheTicketForItsTaskAndByThePolicyForTheOthers) {
  const double eta = std::log(4) / 3;
  const double beta = 0.25;
  const auto policy = make_exp3s(3, eta, beta, 0);
  policy->update(0, 1.0 / 3, 1);
  expect_policy(*policy, {5.0 / 12, 7.0 / 24, 7.0 / 24});
  policy->update(0, 0.5, 0);
  const double u0 = 5.0 / 12 * std::exp(eta * beta * 2);
  const double u1 = 7.0 / 24 * std::exp(eta * beta * 24 / 7);
  const double sum = u0 + 2 * u1;
  expect_policy(*policy, {(2 * u0 / 3 + 2 * u1 / 6) / sum, (2 * u1 / 3 + (u0 + u1) / 6) / sum,
                          (2 * u1 / 3 + (u0 + u1) / 6) / sum});
}

TEST(Exp3S, OfOneTaskAlwaysDrawsIt) {
  const auto policy = make_exp3s(1, 10, 0.5, 0.05);
  for (const double reward : {1.0, -1.0, 1.0}) {
    policy->update(0, 1, reward);
    EXPECT_EQ(policy->probability(0), 1);
    EXPECT_EQ(policy->draw(0.999), 0);
  }
}

TEST(Exp3S, StaysUniformWithoutStepsOrWithNothingButExploration) {
  for (const auto& policy : {make_exp3s(3, 0, 0.3, 0.05), make_exp3s(3, 2, 0.3, 1)}) {
    for (int round = 0; round < 20; ++round) policy->update(round % 2, 1.0 / 3, 1);
    expect_policy(*policy, {1.0 / 3, 1.0 / 3, 1.0 / 3});
  }
}

// Rewards are settled with probabilities from up to ten rounds ago.
RC_GTEST_PROP(Exp3S, AgreesWithTheSlowReference, (std::uint64_t seed)) {
  const int tasks = *rc::gen::resize(100, rc::gen::inRange(1, 170));
  const double eta = *rc::gen::inRange(0, 500) / 1000.0;
  const double beta = *rc::gen::inRange(-100, 100) / 1000.0;
  const double epsilon = *rc::gen::inRange(0, 101) / 100.0;
  const auto policy = make_exp3s(tasks, eta, beta, epsilon);
  SlowExp3S slow(tasks, eta, beta, epsilon);
  Random random(seed, Purpose::kSample, 0);
  std::vector<std::pair<int, double>> drawn;
  for (int round = 0; round < 30; ++round) {
    const int task = policy->draw(random.uniform());
    drawn.emplace_back(task, policy->probability(task));
    const auto back =
        random.below(static_cast<std::uint32_t>(std::min<std::size_t>(10, drawn.size())));
    const auto [late, probability] = drawn[drawn.size() - 1 - back];
    const double reward = 2 * random.uniform() - 1;
    policy->update(late, probability, reward);
    slow.update(late, probability, reward);
    for (int i = 0; i < tasks; ++i) {
      const auto expected = static_cast<double>(slow.probability(i));
      RC_ASSERT(std::abs(policy->probability(i) - expected) <= 1e-9 * expected + 1e-12);
    }
  }
}

// Without beta the policy uses LazyShares. Each case has five thousand rounds, which apply the lazy
// map several times, with small and large steps, a best task that changes, and late rewards. The
// bound is what errors of 1e-16 may grow to, relative to the probability and to 1 / N.
RC_GTEST_PROP(Exp3S, WithoutBetaAgreesWithTheSlowReferenceInLongRuns, (std::uint64_t seed)) {
  const int tasks = *rc::gen::inRange(2, 40);
  const double eta = *rc::gen::element(1e-3, 0.1, 1.0, 30.0);
  const double epsilon = *rc::gen::element(0.0, 0.05, 0.5);
  const auto policy = make_exp3s(tasks, eta, 0, epsilon);
  SlowExp3S slow(tasks, eta, 0, epsilon);
  Random random(seed, Purpose::kSample, 0);
  for (int round = 0; round < 5000; ++round) {
    const int task = policy->draw(random.uniform());
    // As if some tickets were drawn from another policy, so that exponents stay within long double.
    const double probability = std::max(policy->probability(task), 0.003);
    const double reward = task == round / 700 % tasks ? 1 : random.uniform() - 0.8;
    policy->update(task, probability, reward);
    slow.update(task, probability, reward);
    if (round % 50 != 0) continue;
    for (int i = 0; i < tasks; ++i) {
      const auto expected = static_cast<double>(slow.probability(i));
      RC_ASSERT(std::abs(policy->probability(i) - expected) <= 1e-10 * expected + 1e-13 / tasks);
    }
  }
}

// Progress that falls all the time earns only -1. Then every share is shrunk and scaled up again.
TEST(Exp3S, WithoutBetaAgreesWithTheSlowReferenceIfEveryRewardIsLow) {
  for (const int tasks : {2, 5, 30}) {
    const auto policy = make_exp3s(tasks, 0.1, 0, 0.05);
    SlowExp3S slow(tasks, 0.1, 0, 0.05);
    Random random(1, Purpose::kSample, 0);
    for (int round = 0; round < 3000; ++round) {
      const int task = static_cast<int>(random.below(tasks));
      const double probability = policy->probability(task);
      policy->update(task, probability, -1);
      slow.update(task, probability, -1);
      const auto expected = static_cast<double>(slow.probability(task));
      ASSERT_NEAR(policy->probability(task), expected, 1e-9 * expected) << tasks << " " << round;
    }
  }
}

// The lazy policy draws by a tree of sums. It must draw the same tasks as a list of its
// probabilities.
TEST(Exp3S, DrawsTheQuantilesOfItsProbabilities) {
  for (const int tasks : {1, 2, 7, 64, 169}) {
    const auto policy = make_exp3s(tasks, 0.3, 0, 0.1);
    for (int i = 0; i < 400; ++i) policy->update(i * i % tasks, 0.05 + 0.002 * i, i % 3 - 1);
    const std::vector<double> p = policy->probabilities();
    double below = 0;
    for (int task = 0; task < tasks; ++task) {
      EXPECT_EQ(policy->draw(below + 1e-9 * p[task]), task);
      EXPECT_EQ(policy->draw(below + (1 - 1e-9) * p[task]), task);
      below += p[task];
    }
    EXPECT_EQ(policy->draw(std::nextafter(1.0, 0.0)), tasks - 1);
  }
}

void expect_distribution(const Policy& policy, double least) {
  const std::vector<double> p = policy.probabilities();
  ASSERT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
  for (const double entry : p) ASSERT_GE(entry, least * (1 - 1e-12));
}

// The best task changes every 100,000 rounds. A step with eta = 10 at the smallest probability has
// an exponent of 33,800.
TEST(Exp3S, SurvivesEtaTenAndAMillionRounds) {
  constexpr int kTasks = 169;
  const auto policy = make_exp3s(kTasks, 10, 0, 0.05);
  for (int round = 0; round < 1'000'000; ++round) {
    const int task = policy->draw(Random(1, Purpose::kSample, round).uniform());
    const int best = round / 100'000 * 16;
    policy->update(task, policy->probability(task), task == best ? 1 : -1);
    if (round % 10'000 == 0) expect_distribution(*policy, 0.05 / kTasks);
    if (round % 100'000 == 99'999) {
      EXPECT_GT(policy->probability(best), 0.9);
    }
  }
  expect_distribution(*policy, 0.05 / kTasks);
}

TEST(Exp3S, StaysADistributionAtTheBoundsOfItsSettings) {
  for (const double beta : {-100.0, 0.0, 100.0}) {
    const auto policy = make_exp3s(5, 100, beta, 0);
    for (int round = 0; round < 200; ++round) {
      const int task = policy->draw(Random(2, Purpose::kSample, round).uniform());
      ASSERT_GT(policy->probability(task), 0);
      policy->update(task, policy->probability(task), round % 3 - 1);
      expect_distribution(*policy, 0);
    }
  }
}

TEST(Exp3S, FollowsAChangeThatExp3IsSlowToSee) {
  const auto exp3s = make_exp3s(10, 0.05, 0, 0.05);
  const auto exp3 = make_exp3(10, 0.05);
  for (int round = 0; round < 4000; ++round) {
    const int best = round < 3000 ? 2 : 7;
    for (Policy* policy : {exp3s.get(), exp3.get()}) {
      const int task = policy->draw(Random(3, Purpose::kSample, round).uniform());
      policy->update(task, policy->probability(task), task == best ? 1 : 0);
    }
  }
  EXPECT_GT(exp3s->probability(7), 0.5);
  EXPECT_LT(exp3->probability(7), 0.1);
}

// Also when the lazy map is applied, after 1024 rounds, and after a step so large that the other
// tasks keep almost nothing of their old shares.
TEST(Exp3S, RestoredFromTextIsTheSameToTheLastBit) {
  for (const double beta : {0.0, 0.01}) {
    const auto original = make_exp3s(7, 0.3, beta, 0.1);
    for (int i = 0; i < 1000; ++i) original->update(i % 5, 0.1 + 0.001 * i, i % 3 - 1);
    original->update(3, 1e-3, 1);
    const auto restored = make_exp3s(7, 0.3, beta, 0.1);
    restored->restore(json::parse(original->state().dump()));
    for (int i = 0; i < 50; ++i) {
      ASSERT_EQ(restored->probabilities(), original->probabilities());
      original->update(i % 7, 0.2, 1);
      restored->update(i % 7, 0.2, 1);
    }
  }
}

// States saved by versions without LazyShares have no map.
TEST(Exp3S, TakesSharesWithoutAMapAsTheyAre) {
  const auto policy = make_exp3s(2, 0.5, 0, 0.2);
  policy->restore(json::parse(R"({"round": 9, "shares": [0.25, 0.75]})"));
  expect_policy(*policy, {0.8 * 0.25 + 0.1, 0.8 * 0.75 + 0.1});
}

struct Damage {
  const char* name;
  const char* state;
  const char* message;
};

class Exp3SRefuses : public testing::TestWithParam<Damage> {};

TEST_P(Exp3SRefuses, ADamagedStateAndStaysAsItWas) {
  const auto policy = make_exp3s(2, 0.5, 0, 0.1);
  for (int i = 0; i < 3; ++i) policy->update(0, 0.5, 1);
  const json before = policy->state();
  try {
    policy->restore(json::parse(GetParam().state));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
  }
  EXPECT_EQ(policy->state(), before);
}

INSTANTIATE_TEST_SUITE_P(
    States, Exp3SRefuses,
    testing::Values(
        Damage{"Null", "null", "damaged"}, Damage{"NoShares", R"({"round": 2})", "no \"shares\""},
        Damage{"NoRound", R"({"shares": [0.5, 0.5]})", "no \"round\""},
        Damage{"RoundZero", R"({"round": 0, "shares": [0.5, 0.5]})", "round 0"},
        Damage{"RoundNegative", R"({"round": -2, "shares": [0.5, 0.5]})", "round is -2"},
        Damage{"RoundFraction", R"({"round": 2.5, "shares": [0.5, 0.5]})", "round is 2.5"},
        Damage{"TooFew", R"({"round": 2, "shares": [1]})", "1 numbers, expected 2"},
        Damage{"NanBecameNull", R"({"round": 2, "shares": [null, 0.5]})",
               "shares[0] is of type null"},
        Damage{"Text", R"({"round": 2, "shares": [0.5, "0.5"]})", "shares[1] is of type string"},
        Damage{"Zero", R"({"round": 2, "shares": [0, 1]})", "a share of 0"},
        Damage{"Negative", R"({"round": 2, "shares": [-0.5, 1.5]})", "a share of -0.5"},
        Damage{"Map", R"({"round": 2, "shares": [0.5, 0.5], "map": [1]})", "1 numbers, expected 2"},
        Damage{"MapSum", R"({"round": 2, "shares": [0.5, 0.5], "map": [1, 0.5]})", "sum to 2"},
        Damage{"Sum", R"({"round": 2, "shares": [0.5, 0.25]})", "sum to 0.75, expected 1"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace gradus
