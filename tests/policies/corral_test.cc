// SPDX-License-Identifier: Apache-2.0
#include "gradus/policies/corral.h"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gradus/policies/policies.h"
#include "tests/refusal.h"

namespace gradus {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

// A base that keeps its distribution and notes what it learns.
class Notebook final : public DensePolicy {
 public:
  using Notes = std::vector<std::vector<double>>;

  Notebook(std::vector<double> probabilities, Notes* notes)
      : DensePolicy(Prior(static_cast<int>(probabilities.size()), {})), notes_(notes) {
    set_policy(probabilities, 0);
  }
  std::string_view name() const override { return "notebook"; }
  void update(int task, double probability, double reward) override {
    if (notes_ != nullptr) notes_->push_back({static_cast<double>(task), probability, reward});
  }
  void add_task() override {}
  void remove_task(int) override {}
  json settings() const override { return json::object(); }
  json state() const override { return json::object(); }
  void restore(const json&) override {}

 private:
  Notes* notes_;
};

std::unique_ptr<MasterPolicy> master_of_two(Notebook::Notes* first = nullptr,
                                            Notebook::Notes* second = nullptr) {
  std::vector<std::unique_ptr<Policy>> bases;
  bases.push_back(std::make_unique<Notebook>(std::vector<double>{0.9, 0.1}, first));
  bases.push_back(std::make_unique<Notebook>(std::vector<double>{0.1, 0.9}, second));
  return make_corral(std::move(bases));
}

// M = 2 and T = 1024: eta = sqrt(2 ln(1024) / 1024) = 0.116353. Task 0 earns -1, a loss of 1, at
// 1/2: the bases' losses are 0.9 / 0.5 = 1.8 and 0.1 / 0.5 = 0.2. With A = 2 + eta (1 - x) and d =
// 0.8 eta = 0.093082, 1 / (A + d) + 1 / (A - d) = 1, so A = 1 + sqrt(1 + d^2) = 2.004323, and the
// shares are 0.476780 and 0.523220. With 1/1024 of uniform, q_0 = 0.476802, and
// pi(0) = 0.9 q_0 + 0.1 (1 - q_0) = 0.481442.
TEST(Corral, HasTheProbabilitiesWorkedByHand) {
  const auto policy = master_of_two();
  EXPECT_THAT(policy->probabilities(), ElementsAre(0.5, 0.5));
  policy->update(0, 0.5, -1);
  EXPECT_NEAR(policy->state()["shares"][0].get<double>(), 0.476780, 1e-6);
  EXPECT_NEAR(policy->base_probability(0), 0.476802, 1e-6);
  EXPECT_NEAR(policy->probability(0), 0.481442, 1e-6);
}

// A reward of 1 is a loss of 0 for all bases.
TEST(Corral, AFullRewardTellsNothingAboutTheBases) {
  const auto policy = master_of_two();
  policy->update(0, 0.5, 1);
  EXPECT_EQ(policy->base_probability(0), 0.5);
}

TEST(Corral, EveryBaseLearnsFromEveryDrawWithItsProbability) {
  Notebook::Notes first;
  Notebook::Notes second;
  const auto policy = master_of_two(&first, &second);
  policy->update(1, 0.25, 0.5);
  policy->update_signals(0, 0.75, std::vector<double>{-1, 1});
  EXPECT_EQ(first, (Notebook::Notes{{1, 0.25, 0.5}, {0, 0.75, -1}}));
  EXPECT_EQ(second, (Notebook::Notes{{1, 0.25, 0.5}, {0, 0.75, 1}}));
}

// Task 0 always loses. When the first base falls below its low of 1/4, its rate grows by
// exp(1 / ln(1024)) = 1.155195 and its low becomes half of what it has.
TEST(Corral, RaisesTheRateOfABaseThatFallsBehind) {
  const auto policy = master_of_two();
  const double rate = policy->state()["rates"][0].get<double>();
  int rounds = 0;
  while (policy->base_probability(0) >= 0.25) {
    ASSERT_LT(++rounds, 1000);
    EXPECT_EQ(policy->state()["rates"][0], rate);
    policy->update(0, policy->probability(0), -1);
  }
  const json state = policy->state();
  EXPECT_NEAR(state["rates"][0].get<double>(), 1.155195 * rate, 1e-6);
  EXPECT_DOUBLE_EQ(state["lows"][0].get<double>(), policy->base_probability(0) / 2);
  EXPECT_EQ(state["rates"][1], rate);
}

// p_0 is halved towards 1/2, and the rate is sqrt(2 ln(2048) / 2048) = 0.086290.
TEST(Corral, StartsAgainHalfWayToUniformWhenItsHorizonIsReached) {
  const auto policy = master_of_two();
  for (int round = 1; round < 1024; ++round) policy->update(0, 1, round % 2 - 0.5);
  const double before = policy->state()["shares"][0].get<double>();
  EXPECT_LT(before, 0.45);
  policy->update(0, 1, 1);
  const json state = policy->state();
  EXPECT_EQ(state["round"], 1025);
  EXPECT_NEAR(state["shares"][0].get<double>(), (before + 0.5) / 2, 1e-12);
  EXPECT_NEAR(state["rates"][0].get<double>(), 0.086290, 1e-6);
  EXPECT_EQ(state["lows"], json({0.25, 0.25}));
}

// A late reward may come at a probability that no base has now.
TEST(Corral, SurvivesEstimatesOfAnySize) {
  const auto policy = master_of_two();
  for (const double probability : {1e-12, 1e-200, 1.0}) {
    policy->update(0, probability, -1);
    for (const double p : policy->probabilities()) EXPECT_GT(p, 0);
    EXPECT_GE(policy->base_probability(0), 0.5 / 1024);
  }
}

TEST(Corral, ItsSettingsAreThoseOfItsBases) {
  const auto policy = make_policy("corral", 3, {.eta = 0.5, .bases = "exp3s,thompson"});
  EXPECT_EQ(policy->settings(), json({{"bases", "exp3s,thompson"},
                                      {"eta", 0.5},
                                      {"beta", 0.0},
                                      {"epsilon", 0.05},
                                      {"window", "auto"}}));
}

TEST(Corral, RefusesBasesThatItCannotHave) {
  const auto refusal = [](const std::string& bases) {
    return refusal_of([&] { make_policy("corral", 2, {.bases = bases}); });
  };
  EXPECT_THAT(refusal(""), HasSubstr("no bases"));
  EXPECT_THAT(refusal("exp3s,exp3z"), HasSubstr(R"(unknown policy "exp3z")"));
  EXPECT_THAT(refusal("corral"), HasSubstr("cannot have the base corral"));
  EXPECT_THAT(refusal("exp3s,fixed"), HasSubstr("cannot have the base fixed"));
  EXPECT_EQ(refusal_of(
                [] { check_policy_settings("corral", {.temperature = 1, .bases = "exp3s,ducb"}); }),
            "none of the bases exp3s,ducb of policy corral has the setting temperature");
  std::vector<std::unique_ptr<Policy>> bases;
  bases.push_back(make_uniform(2));
  bases.push_back(make_uniform(3));
  EXPECT_THAT(refusal_of([&] { make_corral(std::move(bases)); }), HasSubstr("over 2 and 3 tasks"));
}

TEST(Corral, RefusesADamagedStateAndStaysAsItWas) {
  const auto policy = make_policy("corral", 2, {.bases = "exp3s,boltzmann"});
  for (int i = 0; i < 5; ++i) policy->update(i % 2, 0.5, 0.5);
  const json before = policy->state();
  const auto refusal = [&](const char* pointer, const json& value) {
    json state = before;
    state["bases"][0]["round"] = 99;
    state[json::json_pointer(pointer)] = value;
    const std::string message = refusal_of([&] { policy->restore(state); });
    EXPECT_EQ(policy->state(), before);
    return message;
  };
  EXPECT_THAT(refusal("/shares", {0.5, 0.6}), HasSubstr("sum to 1.1"));
  EXPECT_THAT(refusal("/rates", {0.5, 0}), HasSubstr("a rate or a low of 0"));
  EXPECT_THAT(refusal("/lows", {0.5}), HasSubstr("expected 2"));
  EXPECT_THAT(refusal("/bases", json::object()), HasSubstr("other bases"));
  EXPECT_THAT(refusal("/bases/1/values", {5, 5}), HasSubstr("a value of 5"));
}

}  // namespace
}  // namespace gradus
