// SPDX-License-Identifier: Apache-2.0
#include "gradus/gains/gains.h"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/refusal.h"

namespace gradus {
namespace {

using testing::HasSubstr;

// The measurements of a learner that was asked for everything. All differences are distinct.
constexpr Measurements kAll{.loss_before = 10,
                            .loss_after = 9,
                            .probe_before = 8,
                            .probe_after = 6,
                            .gradient_norm = 3,
                            .weights_dot_gradient = 4,
                            .weight_norm_before = 20,
                            .weight_norm_after = 25,
                            .kl_before = 30,
                            .kl_after = 36,
                            .kl_dot_gradient = 7};

// kAll without the values that `needs` does not ask for, which become NaN.
Measurements measured_for(const Needs& needs) {
  Measurements m{.loss_before = kAll.loss_before};
  if (needs.loss_after) m.loss_after = kAll.loss_after;
  if (needs.probe != Probe::kNone) {
    m.probe_before = kAll.probe_before;
    m.probe_after = kAll.probe_after;
  }
  if (needs.gradient_norm) m.gradient_norm = kAll.gradient_norm;
  if (needs.weights_dot_gradient) m.weights_dot_gradient = kAll.weights_dot_gradient;
  if (needs.weight_norm) {
    m.weight_norm_before = kAll.weight_norm_before;
    m.weight_norm_after = kAll.weight_norm_after;
  }
  if (needs.kl) {
    m.kl_before = kAll.kl_before;
    m.kl_after = kAll.kl_after;
  }
  if (needs.kl_dot_gradient) m.kl_dot_gradient = kAll.kl_dot_gradient;
  return m;
}

struct Definition {
  const char* name;
  Needs needs;
  double derived;
  double printed;
};

class EachGain : public testing::TestWithParam<Definition> {};

TEST_P(EachGain, IsItsEquationOfWhatItAsksForAndAsksForNothingElse) {
  const Definition& definition = GetParam();
  for (const Sign sign : {Sign::kDerived, Sign::kPrinted}) {
    const auto gain = make_gain(definition.name, sign);
    EXPECT_EQ(gain->name(), definition.name);
    EXPECT_EQ(gain->needs(), definition.needs);
    EXPECT_EQ(gain->progress(measured_for(definition.needs)),
              sign == Sign::kDerived ? definition.derived : definition.printed);
  }
}

TEST_P(EachGain, IsNanOverWhatWasNotMeasured) {
  EXPECT_TRUE(std::isnan(make_gain(GetParam().name)->progress({.loss_before = 1})));
}

INSTANTIATE_TEST_SUITE_P(Nine, EachGain,
                         testing::Values(Definition{"pg", {.loss_after = true}, 1, 1},
                                         Definition{"gpg", {.gradient_norm = true}, 3, 3},
                                         Definition{"spg", {.probe = Probe::kSameTask}, 2, 2},
                                         Definition{"tpg", {.probe = Probe::kTargetTask}, 2, 2},
                                         Definition{"mpg", {.probe = Probe::kRandomTask}, 2, 2},
                                         Definition{"vcg", {.kl = true}, 6, 6},
                                         Definition{"gvcg", {.kl_dot_gradient = true}, -7, 7},
                                         Definition{"l2g", {.weight_norm = true}, 5, 5},
                                         Definition{"gl2g", {.weights_dot_gradient = true}, -4, 4}),
                         [](const auto& info) { return info.param.name; });

TEST(MakeGain, MakesEveryGainOfTheListUnderItsName) {
  EXPECT_EQ(gain_list().size(), 9u);
  for (const GainEntry& entry : gain_list()) {
    EXPECT_EQ(make_gain(entry.name)->name(), entry.name);
    EXPECT_FALSE(entry.summary.empty());
  }
}

TEST(MakeGain, RefusesAnUnknownNameOfferingTheNearest) {
  EXPECT_EQ(refusal_of([] { make_gain("gl2gg"); }),
            R"(unknown gain "gl2gg"; did you mean "gl2g"?)");
}

TEST(ParseSign, KnowsTheTwoSigns) {
  EXPECT_EQ(parse_sign("derived"), Sign::kDerived);
  EXPECT_EQ(parse_sign("printed"), Sign::kPrinted);
  EXPECT_THAT(refusal_of([] { parse_sign("print"); }), HasSubstr("did you mean \"printed\"?"));
}

}  // namespace
}  // namespace gradus
