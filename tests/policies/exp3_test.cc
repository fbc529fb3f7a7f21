// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "gradus/core/error.h"
#include "gradus/core/random.h"
#include "gradus/policies/policies.h"

namespace gradus {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// eta = ln(2)/2. Task 0 earns 1 at probability 1/2: w = ln 2, 0, so 2/3 and 1/3.
// Task 1 earns -1 at probability 1/3: w_1 = -3 ln(2)/2, so 2 to 2^-1.5.
TEST(Exp3, FollowsTwoRoundsWorkedByHand) {
  const auto policy = make_exp3(2, std::log(2) / 2);
  EXPECT_EQ(policy->probability(0), 0.5);
  policy->update(0, 0.5, 1);
  EXPECT_NEAR(policy->probability(0), 2.0 / 3, 1e-15);
  EXPECT_NEAR(policy->probability(1), 1.0 / 3, 1e-15);
  policy->update(1, 1.0 / 3, -1);
  EXPECT_NEAR(policy->probability(0), 2 / (2 + std::pow(2, -1.5)), 1e-15);
}

// Weights as the paper defines them: eta times the sum of all importance-sampled rewards.
RC_GTEST_PROP(Exp3, IsTheSoftmaxOfAllImportanceSampledRewards, (std::uint64_t seed)) {
  const int tasks = *rc::gen::resize(100, rc::gen::inRange(1, 170));
  const double eta = *rc::gen::inRange(0, 1000) / 1000.0;
  const auto policy = make_exp3(tasks, eta);
  std::vector<long double> sums(tasks);
  Random random(seed, Purpose::kSample, 0);
  for (int round = 0; round < 30; ++round) {
    const int task = policy->draw(random.uniform());
    const double reward = 2 * random.uniform() - 1;
    sums[task] += static_cast<long double>(reward) / policy->probability(task);
    policy->update(task, policy->probability(task), reward);
  }
  // A draw of tiny probability makes a weight too large for its exponential, so subtract the
  // largest. The policy's rounding error of such a weight then appears in the exponent.
  const auto [least, largest] = std::minmax_element(sums.begin(), sums.end());
  const double huge = static_cast<double>(eta * std::max(std::abs(*least), std::abs(*largest)));
  long double total = 0;
  for (const long double sum : sums) total += std::exp(eta * (sum - *largest));
  for (int i = 0; i < tasks; ++i) {
    const auto expected = static_cast<double>(std::exp(eta * (sums[i] - *largest)) / total);
    const double slack = std::min(1.0, 1e-10 + 1e-14 * huge);
    RC_ASSERT(std::abs(policy->probability(i) - expected) <= slack * expected + 1e-14);
  }
}

TEST(Exp3, SurvivesEtaTenAndAMillionRoundsAndNeverDrawsTheImpossible) {
  const auto policy = make_exp3(20, 10);
  for (int round = 0; round < 1'000'000; ++round) {
    const int task = policy->draw(Random(1, Purpose::kSample, round).uniform());
    ASSERT_GT(policy->probability(task), 0);
    policy->update(task, policy->probability(task), round / 1000 % 2 == 0 ? 1 : -1);
  }
  const std::vector<double> p = policy->probabilities();
  EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
}

TEST(Exp3, DrawsNoTaskWhoseProbabilityUnderflowed) {
  const auto policy = make_exp3(3, 1);
  policy->update(1, 1e-4, 1);
  EXPECT_EQ(policy->probability(0), 0);
  EXPECT_EQ(policy->draw(0), 1);
  EXPECT_EQ(policy->draw(std::nextafter(1, 0)), 1);
}

TEST(Exp3, RefusesARewardThatWouldMakeAWeightInfiniteAndStaysAsItWas) {
  const auto policy = make_exp3(2, 10);
  policy->update(0, 0.5, 1);
  const json before = policy->state();
  try {
    policy->update(1, 1e-310, 1);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("task 1, drawn with probability 1e-310"));
  }
  EXPECT_EQ(policy->state(), before);
}

TEST(Exp3, RestoredFromTextIsTheSameToTheLastBit) {
  const auto original = make_exp3(4, 0.3);
  for (int i = 0; i < 50; ++i) original->update(i % 3, 0.1 + 0.01 * i, i % 3 - 1);
  const auto restored = make_exp3(4, 0.3);
  restored->restore(json::parse(original->state().dump()));
  EXPECT_EQ(restored->probabilities(), original->probabilities());
  EXPECT_EQ(restored->state(), original->state());
}

TEST(Exp3, RefusesADamagedStateAndStaysAsItWas) {
  const auto policy = make_exp3(2, 0.3);
  policy->update(0, 0.5, 1);
  const json before = policy->state();
  for (const char* state :
       {"null", "{}", R"({"log_weights": [1]})", R"({"log_weights": [1, null]})",
        R"({"log_weights": [1, "2"]})", R"({"log_weights": 3})"}) {
    EXPECT_THROW(policy->restore(json::parse(state)), InputError) << state;
    EXPECT_EQ(policy->state(), before);
  }
}

}  // namespace
}  // namespace gradus
