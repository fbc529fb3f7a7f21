// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/objective.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/setting.h"
#include "tests/refusal.h"

namespace gradus {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr auto kMl = ObjectiveKind::kMaximumLikelihood;
constexpr auto kL2 = ObjectiveKind::kL2;
constexpr auto kVi = ObjectiveKind::kVariational;

std::string refusal(const std::string& gain, const Needs& needs, ObjectiveKind kind) {
  try {
    check_measurable(gain, needs, kind);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(CheckMeasurable, AllowsLossGainsUnderEveryObjective) {
  for (const ObjectiveKind kind : {kMl, kL2, kVi}) {
    EXPECT_EQ(check_measurable("pg", {.loss_after = true}, kind), std::nullopt);
    EXPECT_EQ(check_measurable("spg", {.probe = Probe::kSameTask}, kind), std::nullopt);
    EXPECT_EQ(check_measurable("gpg", {.gradient_norm = true}, kind), std::nullopt);
  }
}

TEST(CheckMeasurable, RefusesTheKlWithoutAPosteriorAndNamesTheObjectiveThatHasOne) {
  for (const ObjectiveKind kind : {kMl, kL2}) {
    EXPECT_THAT(refusal("vcg", {.kl = true}, kind),
                AllOf(HasSubstr("gain vcg"), HasSubstr("needs objective \"vi\""),
                      HasSubstr("objective is \"" + to_string(kind) + "\"")));
    EXPECT_THAT(refusal("gvcg", {.kl_dot_gradient = true}, kind), HasSubstr("gain gvcg"));
  }
  EXPECT_EQ(check_measurable("vcg", {.kl = true}, kVi), std::nullopt);
  EXPECT_EQ(check_measurable("gvcg", {.kl_dot_gradient = true}, kVi), std::nullopt);
}

TEST(CheckMeasurable, RefusesTheWeightNormOfAPosterior) {
  EXPECT_THAT(refusal("l2g", {.weight_norm = true}, kVi),
              AllOf(HasSubstr("gain l2g"), HasSubstr("needs objective \"l2\" (or \"ml\")"),
                    HasSubstr("objective is \"vi\"")));
  EXPECT_THAT(refusal("gl2g", {.weights_dot_gradient = true}, kVi), HasSubstr("gain gl2g"));
}

TEST(CheckMeasurable, DoubtsTheWeightNormOfAnUnregularisedNetwork) {
  for (const Needs& needs : {Needs{.weight_norm = true}, Needs{.weights_dot_gradient = true}}) {
    const auto warning = check_measurable("l2g", needs, kMl);
    ASSERT_TRUE(warning.has_value());
    EXPECT_THAT(*warning, AllOf(HasSubstr("gain l2g"), HasSubstr("unreliable signal")));
    EXPECT_EQ(check_measurable("l2g", needs, kL2), std::nullopt);
  }
}

TEST(ObjectiveNames, AreInTheOrderOfTheKinds) {
  EXPECT_EQ(to_string(kMl), "ml");
  EXPECT_EQ(to_string(kL2), "l2");
  EXPECT_EQ(to_string(kVi), "vi");
  EXPECT_THAT(objective_names(), SizeIs(3));
}

TEST(ObjectiveSettings, TakeAPriorByItsNameAndSuggestTheNearest) {
  ObjectiveSettings settings;
  const std::vector<Setting> all = settings_of(settings);
  const auto prior = std::ranges::find(all, "vi.prior", &Setting::key);
  for (const auto& [name, kind] :
       {std::pair("global", PriorKind::kGlobal), std::pair("tensor", PriorKind::kTensor),
        std::pair("weight", PriorKind::kWeight)}) {
    set_json(*prior, name);
    EXPECT_EQ(settings.prior, kind);
  }
  EXPECT_EQ(refusal_of([&] { set_json(*prior, "wieght"); }),
            "unknown vi.prior \"wieght\"; did you mean \"weight\"?");
}

TEST(CheckObjective, NamesTheSettingThatIsOutOfRange) {
  const auto refusal = [](const ObjectiveSettings& settings) {
    return refusal_of([&] { check_objective(settings); });
  };
  EXPECT_EQ(refusal({.kind = kL2, .decay = -1}), "l2.decay is -1, expected a number from 0 to 100");
  EXPECT_EQ(refusal({.kind = kMl}), "accepted");
  EXPECT_EQ(refusal({.kind = kVi}),
            "vi.sequences is 0, expected the number of sequences of the curriculum");
  EXPECT_EQ(refusal({.kind = kVi, .total_sequences = 10}), "accepted");
  EXPECT_THAT(refusal({.kind = kVi, .prior_width = std::numeric_limits<double>::infinity()}),
              HasSubstr("vi.prior_width is inf"));
  EXPECT_EQ(refusal({.kind = kVi, .posterior_width = 0}),
            "vi.posterior_width is 0, expected a number above 0 and at most 100");
}

// 1 layer, 2 cells, 3 inputs, 1 output: matrices of 3 x 8, 2 x 8, 1 x 8, 2 x 1 and 1 x 1, P = 51.
const ParameterLayout& small_layout() {
  static const ParameterLayout layout(
      {{.input = {.tokens = 3, .bits = 0, .reals = 0}, .output = {OutputKind::kSoftmax, 1}}, 1, 2});
  return layout;
}

std::vector<std::string> described(const ObjectiveSettings& settings) {
  std::vector<std::string> all;
  for (const Slice& part : trained_parts(settings, small_layout())) {
    all.push_back(part.name + " " + std::to_string(part.offset) + " " + std::to_string(part.rows) +
                  "x" + std::to_string(part.columns));
  }
  return all;
}

// Saved states have these names.
TEST(TrainedParts, AreTheWeightsOrTheirMeansWidthsAndThePrior) {
  EXPECT_THAT(described({.kind = kMl}),
              ElementsAre("lstm0.input 0 3x8", "lstm0.recurrent 24 2x8", "lstm0.bias 40 1x8",
                          "output.weight 48 2x1", "output.bias 50 1x1"));
  EXPECT_EQ(described({.kind = kL2}), described({.kind = kMl}));
  EXPECT_THAT(
      described({.kind = kVi}),
      ElementsAre("mean.lstm0.input 0 3x8", "mean.lstm0.recurrent 24 2x8", "mean.lstm0.bias 40 1x8",
                  "mean.output.weight 48 2x1", "mean.output.bias 50 1x1",
                  "width.lstm0.input 51 3x8", "width.lstm0.recurrent 75 2x8",
                  "width.lstm0.bias 91 1x8", "width.output.weight 99 2x1",
                  "width.output.bias 101 1x1", "prior.mean 102 1x1", "prior.width 103 1x1"));
  EXPECT_EQ(described({.kind = kVi, .prior = PriorKind::kTensor}).back(), "prior.width 107 1x5");
  EXPECT_EQ(described({.kind = kVi, .prior = PriorKind::kWeight}).back(), "prior.width 153 1x51");
}

TEST(InitialPhi, IsTheWeightsAndTheRhoOfEachWidth) {
  const std::vector<double> weights(51, 0.25);
  EXPECT_EQ(initial_phi({.kind = kL2}, small_layout(), weights), weights);
  const ObjectiveSettings settings{
      .kind = kVi, .prior = PriorKind::kTensor, .posterior_width = 0.02, .prior_width = 3};
  const std::vector<double> phi = initial_phi(settings, small_layout(), weights);
  ASSERT_EQ(phi.size(), 2u * 51 + 2 * 5);
  const auto softplus = [](double x) { return std::log1p(std::exp(x)); };
  for (std::size_t i = 0; i < 51; ++i) {
    EXPECT_EQ(phi[i], 0.25);
    EXPECT_NEAR(softplus(phi[51 + i]), 0.02, 1e-16);
  }
  for (std::size_t prior = 0; prior < 5; ++prior) {
    EXPECT_EQ(phi[102 + prior], 0);
    EXPECT_NEAR(softplus(phi[107 + prior]), 3, 1e-14);
  }
}

}  // namespace
}  // namespace gradus
