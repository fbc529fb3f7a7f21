// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gradus/core/random.h"
#include "gradus/policies/policies.h"
#include "tests/refusal.h"

namespace gradus {
namespace {

using nlohmann::json;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

// pi(i)^(-1/2) = (L_i - x) / sqrt(t), so the differences of pi^(-1/2) are those of L / sqrt(t).
// Task 1 earns 1 - sqrt(2.5) at 1/2: L_1 = sqrt(2.5) in round 2, so the difference is sqrt(1.25).
// The probabilities 0.8 and 0.2 sum to 1, and sqrt(5) - sqrt(1.25) = sqrt(1.25).
TEST(Tsallis, HasTheProbabilitiesWorkedByHand) {
  const auto policy = make_tsallis(2);
  EXPECT_THAT(policy->probabilities(), ElementsAre(0.5, 0.5));
  policy->update(1, 0.5, 1 - std::sqrt(2.5));
  EXPECT_THAT(policy->probabilities(), ElementsAre(DoubleNear(0.8, 1e-14), DoubleNear(0.2, 1e-14)));
}

// The conditions that define the policy, for losses of all sizes.
TEST(Tsallis, SatisfiesItsEquations) {
  Random random(1, Purpose::kSample, 0);
  for (const int tasks : {1, 2, 10, 1000}) {
    for (const double scale : {0.0, 1e-3, 1.0, 1e3, 1e9}) {
      const std::uint64_t round = 1 + random.below(100'000);
      std::vector<double> losses;
      for (int i = 0; i < tasks; ++i) losses.push_back(scale * random.uniform());
      const auto policy = make_tsallis(tasks);
      policy->restore({{"round", round}, {"losses", losses}});
      const std::vector<double> p = policy->probabilities();
      double sum = 0;
      for (int i = 0; i < tasks; ++i) {
        sum += p[i];
        const double gap = (losses[i] - losses[0]) / std::sqrt(static_cast<double>(round));
        const double size = 1 / std::sqrt(p[i]) + 1 / std::sqrt(p[0]);
        EXPECT_NEAR(1 / std::sqrt(p[i]) - 1 / std::sqrt(p[0]), gap, 1e-12 * size);
      }
      EXPECT_NEAR(sum, 1, 1e-12);
    }
  }
}

TEST(Tsallis, RefusesALossThatIsTooLargeAndADamagedState) {
  const auto policy = make_tsallis(2);
  const json before = policy->state();
  EXPECT_THAT(refusal_of([&] { policy->update(0, 1e-200, -1); }),
              HasSubstr("the loss of task 0, drawn with probability 1e-200, would be 1e+200"));
  EXPECT_THAT(refusal_of([&] {
                policy->restore({{"round", 1}, {"losses", {0, 1e200}}});
              }),
              HasSubstr("a loss of 1e+200"));
  EXPECT_THAT(refusal_of([&] { policy->restore({{"losses", {0, 1}}}); }), HasSubstr("round"));
  EXPECT_EQ(policy->state(), before);
}

}  // namespace
}  // namespace gradus
