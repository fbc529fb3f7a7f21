#include "gradus/nn/objective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/core/error.h"

namespace gradus {
namespace {

using testing::AllOf;
using testing::HasSubstr;

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

TEST(ObjectiveNames, ReadBackAndSuggestTheNearest) {
  for (const std::string& name : objective_names()) {
    EXPECT_EQ(to_string(parse_objective(name)), name);
  }
  EXPECT_EQ(parse_objective("l2"), kL2);
  EXPECT_EQ(parse_prior("tensor"), PriorKind::kTensor);
  EXPECT_THROW(parse_objective("mdl"), InputError);
  try {
    parse_prior("wieght");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "unknown prior \"wieght\"; did you mean \"weight\"?");
  }
}

}  // namespace
}  // namespace gradus
