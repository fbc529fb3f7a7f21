// SPDX-License-Identifier: Apache-2.0
#include "gradus/policies/policies.h"

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/refusal.h"

namespace gradus {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string refusal_of_policy(const std::string& name, int tasks, const PolicySettings& settings) {
  return refusal_of([&] { make_policy(name, tasks, settings); });
}

TEST(MakePolicy, MakesEveryPolicyOfTheListUnderItsName) {
  EXPECT_EQ(policy_list().size(), 11u);
  for (const PolicyEntry& entry : policy_list()) {
    const auto policy = make_policy(entry.name, 2, {.probabilities = {0.5, 0.5}});
    EXPECT_EQ(policy->name(), entry.name);
    EXPECT_EQ(policy->size(), 2);
    EXPECT_FALSE(entry.summary.empty());
  }
}

TEST(MakePolicy, HasThePapersDefaultsAndAnAutomaticEta) {
  EXPECT_EQ(make_policy("exp3s", 2, {})->settings(),
            json({{"eta", "auto"}, {"beta", 0.0}, {"epsilon", 0.05}}));
}

TEST(MakePolicy, RefusesAnUnknownNameOfferingTheNearest) {
  EXPECT_EQ(refusal_of_policy("exp3z", 2, {}), R"(unknown policy "exp3z"; did you mean "exp3s"?)");
}

TEST(MakePolicy, RefusesSettingsOutOfRangeNamingThem) {
  EXPECT_THAT(refusal_of_policy("exp3s", 0, {}), HasSubstr("at least one task"));
  for (const char* name : {"exp3s", "exp3"}) {
    EXPECT_THAT(refusal_of_policy(name, 2, {.eta = -1}), HasSubstr("eta is -1"));
    EXPECT_THAT(refusal_of_policy(name, 2, {.eta = std::nan("")}), HasSubstr("eta is nan"));
    EXPECT_THAT(refusal_of_policy(name, 2, {.eta = HUGE_VAL}), HasSubstr("eta is inf"));
    EXPECT_THAT(refusal_of_policy(name, 2, {.eta = 1e9}),
                HasSubstr("eta is 1e+09, expected a number from 0 to 100 or \"auto\""));
  }
  EXPECT_THAT(refusal_of_policy("exp3s", 2, {.beta = std::nan("")}), HasSubstr("beta is nan"));
  EXPECT_THAT(refusal_of_policy("exp3s", 2, {.beta = -101}),
              HasSubstr("beta is -101, expected a number from -100 to 100"));
  EXPECT_THAT(refusal_of_policy("exp3s", 2, {.epsilon = 1.5}), HasSubstr("epsilon is 1.5"));
  EXPECT_THAT(refusal_of_policy("exp3s", 2, {.epsilon = -0.5}), HasSubstr("epsilon is -0.5"));
  EXPECT_THAT(refusal_of_policy("fixed", 3, {.probabilities = {1}}),
              HasSubstr("1 probabilities, expected one for each of 3 tasks"));
}

}  // namespace
}  // namespace gradus
