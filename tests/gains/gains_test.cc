// SPDX-License-Identifier: Apache-2.0
#include "gradus/gains/gains.h"

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/refusal.h"

namespace gradus {
namespace {

using testing::HasSubstr;

// The measurements of a learner that was asked for everything. All differences are distinct.
constexpr Measurements kAll{.loss_before = 10,
                            .loss_after = 9,
                            .outputs = 4,
                            .answers_right = 0.25,
                            .probe_before = 8,
                            .probe_after = 6,
                            .probe_dot_gradient = 11,
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
  if (needs.answers_right) m.answers_right = kAll.answers_right;
  if (needs.probe != Probe::kNone) m.probe_before = kAll.probe_before;
  if (needs.probe_after) m.probe_after = kAll.probe_after;
  if (needs.probe_dot_gradient) m.probe_dot_gradient = kAll.probe_dot_gradient;
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

// A new member breaks this list of all members, and a yes-or-no one also belongs in the table.
TEST(NeedsFields, AreAllYesOrNoMembersOfNeeds) {
  Needs all;
  for (const NeedsField& field : kNeedsFields) all.*field.value = true;
  const auto& [loss_before, loss_after, answers_right, probe, probe_after, probe_divisor,
               probe_dot_gradient, gradient_norm, weights_dot_gradient, weight_norm, kl,
               kl_dot_gradient] = all;
  for (const bool set : {loss_before, loss_after, answers_right, probe_after, probe_dot_gradient,
                         gradient_norm, weights_dot_gradient, weight_norm, kl, kl_dot_gradient}) {
    EXPECT_TRUE(set);
  }
  EXPECT_EQ(probe, Probe::kNone);
  EXPECT_EQ(probe_divisor, 1);
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
    const auto gain = make_gain(definition.name, {.sign = sign});
    EXPECT_EQ(gain->name(), definition.name);
    EXPECT_EQ(gain->needs(), definition.needs);
    EXPECT_EQ(gain->progress("task", measured_for(definition.needs)),
              sign == Sign::kDerived ? definition.derived : definition.printed);
  }
}

TEST_P(EachGain, IsNanOverWhatWasNotMeasured) {
  EXPECT_TRUE(std::isnan(make_gain(GetParam().name)->progress("task", {.loss_before = 1})));
}

// A probe of which the loss is measured before and after the step, or its gradient.
constexpr Needs losses_of(Probe probe) {
  return {.probe = probe, .probe_after = true};
}
constexpr Needs gradient_of(Probe probe) {
  return {.probe = probe, .probe_dot_gradient = true};
}

INSTANTIATE_TEST_SUITE_P(
    Stateless, EachGain,
    testing::Values(Definition{"pg", {.loss_before = true, .loss_after = true}, 1, 1},
                    Definition{"gpg", {.gradient_norm = true}, 3, 3},
                    Definition{"spg", losses_of(Probe::kSameTask), 2, 2},
                    Definition{"tpg", losses_of(Probe::kTargetTask), 2, 2},
                    Definition{"mpg", losses_of(Probe::kRandomTask), 2, 2},
                    Definition{"hpg", losses_of(Probe::kHeldOut), 2, 2},
                    Definition{"gspg", gradient_of(Probe::kSameTask), 11, 11},
                    Definition{"gtpg", gradient_of(Probe::kTargetTask), 11, 11},
                    Definition{"gmpg", gradient_of(Probe::kRandomTask), 11, 11},
                    Definition{"vcg", {.kl = true}, 6, 6},
                    Definition{"gvcg", {.kl_dot_gradient = true}, -7, 7},
                    Definition{"l2g", {.weight_norm = true}, 5, 5},
                    Definition{"gl2g", {.weights_dot_gradient = true}, -4, 4},
                    Definition{"lrn", {.answers_right = true}, 0.1875, 0.1875}),
    [](const auto& info) { return info.param.name; });

TEST(ExcessLoss, IsTheLossAboveTheFloorOfItsTask) {
  const auto gain = make_gain("xl", {.floors = {{"noise", 2.5}, {"easy", 0}}});
  EXPECT_EQ(gain->needs(), Needs{.loss_before = true});
  EXPECT_EQ(gain->progress("noise", kAll), 0) << "4 outputs of at least 2.5 nats each";
  EXPECT_EQ(gain->progress("easy", kAll), 10);
  EXPECT_EQ(refusal_of([&] { gain->progress("new", kAll); }),
            R"(gain xl has no floor for task "new")");
}

// Hand-worked, with a window of 4: the least-squares line through 9, 5, 4, 6 falls by 1 per visit,
// and the line through 5, 4, 6, 13 rises by 2.6.
TEST(LossSlopeGain, IsTheDropInLossPerVisitOverTheLastVisits) {
  for (const std::string name : {"lsg", "alsg", "hsg"}) {
    const auto gain = make_gain(name, {.window = 4, .errors = 0});
    const auto progress = [&](double loss) {
      return name == "hsg" ? gain->progress("task", {.loss_before = 0, .probe_before = loss})
                           : gain->progress("task", {.loss_before = loss});
    };
    const Needs held_out{.probe = Probe::kHeldOut, .probe_divisor = 4};
    EXPECT_EQ(gain->needs(), name == "hsg" ? held_out : Needs{.loss_before = true});
    EXPECT_EQ(progress(9), 0);
    EXPECT_DOUBLE_EQ(progress(5), 4);
    EXPECT_DOUBLE_EQ(progress(4), 2.5);
    EXPECT_DOUBLE_EQ(progress(6), 1);
    EXPECT_DOUBLE_EQ(progress(13), name == "alsg" ? 2.6 : -2.6);
  }
}

// Hand-worked: the line through 9, 7, 6, 2 falls by 2.2 per visit. Its residuals are -0.3, -0.1,
// 1.1 and -0.7, so the squared error is 1.8 / (2 * 5) = 0.18, and 2.2 - 4 * 0.18 / 2.2 remains.
TEST(LossSlopeGain, IsShrunkByItsErrorAndZeroWithinTwoErrors) {
  const auto gain = make_gain("lsg", {.window = 4});
  const auto progress = [&](double loss) { return gain->progress("task", {.loss_before = loss}); };
  EXPECT_EQ(progress(9), 0);
  EXPECT_EQ(progress(7), 0);
  EXPECT_EQ(progress(6), 0) << "too few losses to estimate an error";
  EXPECT_DOUBLE_EQ(progress(2), 2.2 - 0.72 / 2.2);
  EXPECT_EQ(progress(6), 0) << "7, 6, 2, 6 falls by 0.7, and the error is 1.1";
  const auto exact = make_gain("lsg", {.window = 4});
  for (const double loss : {8.0, 6.0, 4.0}) exact->progress("task", {.loss_before = loss});
  EXPECT_EQ(exact->progress("task", {.loss_before = 2}), 2) << "a line without error";
}

TEST(LossSlopeGain, KeepsTasksApartAndForgets) {
  const auto gain = make_gain("lsg", {.errors = 0});
  gain->progress("a", {.loss_before = 9});
  EXPECT_EQ(gain->progress("b", {.loss_before = 1}), 0);
  EXPECT_EQ(gain->progress("a", {.loss_before = 7}), 2);
  gain->forget("a");
  EXPECT_EQ(gain->progress("a", {.loss_before = 5}), 0);
  EXPECT_EQ(gain->progress("b", {.loss_before = 0}), 1);
}

// In a long run each loss has entered all slopes with weights that sum to zero, so that the noise
// of a loss that does not fall cannot add up to a reward.
TEST(LossSlopeGain, AddsUpToTheWholeDropHoweverNoisyTheLossIs) {
  const auto gain = make_gain("lsg", {.window = 4, .errors = 0});
  double sum = 0;
  const auto visit = [&](double loss) { sum += gain->progress("task", {.loss_before = loss}); };
  for (int i = 0; i < 4; ++i) visit(10);
  for (const double noisy : {14.0, 7.0, 9.0, 13.0, 8.0}) visit(noisy);
  for (int i = 0; i < 4; ++i) visit(3);
  EXPECT_NEAR(sum, 7, 1e-12);
}

// The probability that |t| > 2 with 8 degrees of freedom is 0.0805.
TEST(LossSlopeGain, IsRarelyOtherThanZeroIfTheLossOnlyFluctuates) {
  const auto gain = make_gain("lsg");
  std::mt19937_64 random(1);
  std::normal_distribution<double> loss(2.3, 0.2);
  constexpr int kVisits = 40000;
  int moved = 0;
  for (int visit = 0; visit < kVisits; ++visit) {
    moved += gain->progress("task", {.loss_before = loss(random)}) != 0;
  }
  EXPECT_NEAR(static_cast<double>(moved) / kVisits, 0.0805, 0.01);
}

TEST(LossSlopeGain, DoesNotRememberALossThatIsNotFinite) {
  const auto gain = make_gain("lsg", {.errors = 0});
  gain->progress("task", {.loss_before = 3});
  EXPECT_TRUE(std::isnan(gain->progress("task", {.loss_before = HUGE_VAL})));
  EXPECT_TRUE(std::isnan(gain->progress("task", {})));
  EXPECT_EQ(gain->progress("task", {.loss_before = 1}), 2);
}

TEST(SavedGain, ContinuesExactly) {
  const GainSettings settings{.window = 5, .floors = {{"a \"b\"", 1}, {"c", 2}}};
  for (const GainEntry& entry : gain_list()) {
    const auto straight = make_gain(entry.name, settings);
    Measurements m = kAll;
    for (int visit = 0; visit < 12; ++visit) {
      const auto resumed = make_gain(entry.name, settings);
      resumed->restore(nlohmann::json::parse(straight->save().dump()));
      const std::string task = visit % 3 == 0 ? "a \"b\"" : "c";
      m.loss_before = m.probe_before = 10 / std::sqrt(visit + 2.0);
      EXPECT_EQ(resumed->progress(task, m), straight->progress(task, m)) << entry.name;
      EXPECT_EQ(resumed->save(), straight->save());
    }
  }
}

TEST(SavedGain, IsRefusedIfItDoesNotFit) {
  const auto gain = make_gain("lsg", {.window = 5});
  gain->progress("task", {.loss_before = 3});
  const nlohmann::json good = gain->save();
  const auto refusal = [&](const char* pointer, const nlohmann::json& value) {
    nlohmann::json bad = good;
    bad[nlohmann::json::json_pointer(pointer)] = value;
    return refusal_of([&] { gain->restore(bad); });
  };
  EXPECT_EQ(refusal("/version", 2), "saved gain has version 2, expected 1");
  EXPECT_EQ(refusal("/gain", "alsg"), R"(saved gain is "alsg", expected "lsg")");
  EXPECT_EQ(refusal("/memory/window", 6), "saved gain has slope.window 6, expected 5");
  EXPECT_THAT(refusal("/memory/losses", 7), HasSubstr("no list of losses"));
  EXPECT_THAT(refusal("/memory/losses/task", {1, 2, 3, 4, 5, 6}), HasSubstr("at most 5 numbers"));
  EXPECT_THAT(refusal("/memory/losses/task", {1, "x"}), HasSubstr("a finite number"));
  EXPECT_THAT(refusal_of([&] { gain->restore(nullptr); }), HasSubstr("\"version\""));
  EXPECT_EQ(gain->save(), good) << "a refused state changed the gain";
  const auto pg = make_gain("pg");
  EXPECT_NO_THROW(pg->restore(nullptr)) << "older versions saved no gain";
  EXPECT_THAT(refusal_of([&] { pg->restore(good); }), HasSubstr("expected \"pg\""));
}

TEST(SeveralSignals, AreMeasuredTogether) {
  const auto gain = make_gain("hsg:pg:hpg", {.errors = 0});
  EXPECT_EQ(gain->name(), "hsg:pg:hpg");
  EXPECT_EQ(gain->signals(), 3);
  EXPECT_EQ(make_gain("pg")->signals(), 1);
  Needs both = make_gain("hpg")->needs();
  both.loss_before = both.loss_after = true;
  EXPECT_EQ(gain->needs(), both) << "hsg is content with the whole probe of hpg";
  EXPECT_EQ(make_gain("hsg:pg")->needs().probe_divisor, make_gain("hsg")->needs().probe_divisor);
  Measurements m = kAll;
  EXPECT_EQ(gain->progress_by_signal("task", m), (std::vector<double>{0, 1, 2}));
  m.probe_before = 7;
  EXPECT_EQ(gain->progress("task", m), 1) << "the slope from 8 to 7";
}

TEST(SeveralSignals, ContinueExactly) {
  const auto straight = make_gain("hsg:lsg");
  Measurements m = kAll;
  for (int visit = 0; visit < 12; ++visit) {
    const auto resumed = make_gain("hsg:lsg");
    resumed->restore(nlohmann::json::parse(straight->save().dump()));
    m.loss_before = 10 / std::sqrt(visit + 2.0);
    m.probe_before = 12 / std::sqrt(visit + 3.0);
    EXPECT_EQ(resumed->progress_by_signal("a", m), straight->progress_by_signal("a", m));
    EXPECT_EQ(resumed->save(), straight->save());
  }
  const nlohmann::json good = straight->save();
  nlohmann::json bad = good;
  bad["memory"][1]["memory"]["window"] = 5;
  EXPECT_EQ(refusal_of([&] { straight->restore(bad); }),
            "saved gain has slope.window 5, expected 10");
  EXPECT_EQ(straight->save(), good) << "a refused state changed the first signal";
  bad["memory"].erase(1);
  EXPECT_EQ(refusal_of([&] { straight->restore(bad); }),
            "saved gain hsg:lsg has no list of 2 memories");
  straight->forget("a");
  EXPECT_EQ(straight->save(), make_gain("hsg:lsg")->save());
}

TEST(SeveralSignals, AreRefusedIfTheyProbeDifferentData) {
  EXPECT_EQ(refusal_of([] { make_gain("spg:pg:tpg"); }),
            "gain spg:pg:tpg has signals that cannot be measured together: they probe different "
            "data, expected the same for all");
  EXPECT_EQ(refusal_of([] { make_gain("pg:"); }).find("unknown gain \"\""), 0u);
}

TEST(MakeGain, MakesEveryGainOfTheListUnderItsName) {
  EXPECT_EQ(gain_list().size(), 18u);
  for (const GainEntry& entry : gain_list()) {
    EXPECT_EQ(make_gain(entry.name)->name(), entry.name);
    EXPECT_FALSE(entry.summary.empty());
  }
}

TEST(MakeGain, RefusesAnUnknownNameOfferingTheNearest) {
  EXPECT_EQ(refusal_of([] { make_gain("gl2gg"); }),
            R"(unknown gain "gl2gg"; did you mean "gl2g"?)");
}

TEST(MakeGain, RefusesASettingOutOfRange) {
  EXPECT_EQ(refusal_of([] { make_gain("lsg", {.window = 3}); }),
            "slope.window is 3, expected a whole number from 4 to 10000");
}

}  // namespace
}  // namespace gradus
