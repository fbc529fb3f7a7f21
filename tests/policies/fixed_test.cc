// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/policies/policies.h"

namespace gradus {
namespace {

using testing::Each;
using testing::HasSubstr;

TEST(Uniform, DrawsEveryTaskAlikeWhateverTheRewards) {
  const auto policy = make_uniform(8);
  for (int i = 0; i < 10; ++i) policy->update(3, 0.125, 1);
  EXPECT_THAT(policy->probabilities(), Each(0.125));
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(policy->draw(i / 8.0), i);
    EXPECT_EQ(policy->draw(std::nextafter((i + 1) / 8.0, 0)), i);
  }
}

TEST(Fixed, DrawsByItsListWhateverTheRewards) {
  const auto policy = make_fixed({0.25, 0, 0.75});
  policy->update(1, 0.5, 1);
  EXPECT_EQ(policy->probabilities(), (std::vector<double>{0.25, 0, 0.75}));
  EXPECT_EQ(policy->draw(0.25), 2);
}

TEST(Fixed, OnTheTargetAloneAlwaysDrawsIt) {
  const auto policy = make_fixed({0, 0, 1});
  for (const double u : {0.0, 0.5, std::nextafter(1, 0)}) EXPECT_EQ(policy->draw(u), 2);
}

TEST(Fixed, OfAnotherListHasOtherSettings) {
  EXPECT_NE(make_fixed({1, 0})->settings(), make_fixed({0, 1})->settings());
}

TEST(Fixed, RefusesWhatIsNoDistributionNamingTaskAndValue) {
  const auto refusal = [](std::vector<double> p) -> std::string {
    try {
      make_fixed(std::move(p));
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal({0.5, -0.5, 1}), HasSubstr("probabilities[1] is -0.5"));
  EXPECT_THAT(refusal({1.5, -0.5}), HasSubstr("probabilities[0] is 1.5"));
  EXPECT_THAT(refusal({std::nan(""), 1}), HasSubstr("probabilities[0] is nan"));
  EXPECT_THAT(refusal({0.5, 0.25}), HasSubstr("sum to 0.75, expected 1"));
  EXPECT_THAT(refusal({}), HasSubstr("sum to 0"));
  EXPECT_EQ(refusal(std::vector<double>(10, 0.1)), "accepted");
}

}  // namespace
}  // namespace gradus
