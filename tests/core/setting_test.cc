// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/setting.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/refusal.h"

namespace gradus {
namespace {

enum class Colour { kRed, kGreen };

struct Settings {
  int count = 3;
  std::int64_t seed = 1;
  double rate = 0.5;
  double share = 0.5;
  std::optional<double> step = {};
  std::vector<double> weights = {};
  std::string name = "one";
  std::string folder = "anything";
  Colour colour = Colour::kRed;
};

std::vector<Setting> settings_of(Settings& s) {
  return {
      {"count", "whole", &s.count, {1, 30}},
      {"seed", "large", &s.seed, {0, kLargestCount}},
      {"rate", "closed", &s.rate, {-1, 1}},
      {"share", "open", &s.share, {.low = 0, .high = 1, .above = true, .below = true}},
      {"step", "automatic", &s.step, {0, 2}},
      {"weights", "a list", &s.weights, {.low = 0, .high = 1, .above = true}},
      {.key = "name", .help = "a choice", .value = &s.name, .choices = {"one", "two"}},
      {.key = "folder", .help = "a path", .value = &s.folder, .choices = {"none"}, .is_path = true},
      {.key = "colour",
       .help = "an enumeration",
       .value = EnumValue(&s.colour),
       .choices = {"red", "green"}},
  };
}

std::string refusal(const Settings& settings) {
  return refusal_of([&] { checked(settings); });
}

TEST(Setting, IsRefusedWithItsKeyItsValueAndWhatIsValid) {
  EXPECT_EQ(refusal({}), "accepted");
  EXPECT_EQ(refusal({.count = 0}), "count is 0, expected a whole number from 1 to 30");
  EXPECT_EQ(refusal({.seed = -1}), "seed is -1, expected a whole number from 0 to 9e+18");
  EXPECT_EQ(refusal({.rate = 1.5}), "rate is 1.5, expected a number from -1 to 1");
  EXPECT_EQ(refusal({.rate = std::nan("")}), "rate is nan, expected a number from -1 to 1");
  EXPECT_EQ(refusal({.step = HUGE_VAL}), "step is inf, expected a number from 0 to 2 or \"auto\"");
  EXPECT_EQ(refusal({.name = "tow"}), "unknown name \"tow\"; did you mean \"two\"?");
}

TEST(Setting, MayIncludeTheEndsOfItsRangeOrNot) {
  EXPECT_EQ(refusal({.count = 1, .rate = -1, .step = 2}), "accepted");
  EXPECT_EQ(refusal({.share = 0}), "share is 0, expected a number above 0 and below 1");
  EXPECT_EQ(refusal({.share = 1}), "share is 1, expected a number above 0 and below 1");
  EXPECT_EQ(refusal({.weights = {1, 0.5, 0}}),
            "weights[2] is 0, expected a number above 0 and at most 1");
}

TEST(Setting, ThatIsAPathIsAnyString) {
  EXPECT_EQ(refusal({.folder = ""}), "accepted");
  EXPECT_EQ(refusal({.folder = "none"}), "accepted");
}

TEST(Setting, OfAnEnumerationCountsItsChoices) {
  Settings settings;
  const Setting colour = settings_of(settings).back();
  EXPECT_EQ(std::get<EnumValue>(colour.value).get(), 0u);
  std::get<EnumValue>(colour.value).set(find_choice(colour, "green"));
  EXPECT_EQ(settings.colour, Colour::kGreen);
}

TEST(Setting, GoesThroughJson) {
  const nlohmann::json values = {
      {"count", 7},       {"seed", 9007199254740993}, {"rate", -0.25}, {"share", 0.1},
      {"step", 1.5},      {"weights", {0.5, 1}},      {"name", "two"}, {"folder", "some/where"},
      {"colour", "green"}};
  Settings settings;
  for (const Setting& setting : settings_of(settings)) set_json(setting, values[setting.key]);
  EXPECT_EQ(settings.seed, 9007199254740993);
  EXPECT_EQ(settings.weights, (std::vector<double>{0.5, 1}));
  EXPECT_EQ(settings.colour, Colour::kGreen);
  for (const Setting& setting : settings_of(settings)) {
    EXPECT_EQ(to_json(setting), values[setting.key]) << setting.key;
  }
  EXPECT_EQ(to_json(settings_of(settings)[4]), 1.5);
  set_json(settings_of(settings)[4], "auto");
  EXPECT_FALSE(settings.step);
  EXPECT_EQ(to_json(settings_of(settings)[4]), "auto");
}

TEST(Setting, RefusesJsonOfAnotherType) {
  Settings settings;
  const auto refused = [&](int index, const nlohmann::json& value) {
    return refusal_of([&] { set_json(settings_of(settings)[index], value); });
  };
  EXPECT_EQ(refused(0, 1.5), "count is 1.5, expected a whole number from 1 to 30");
  EXPECT_EQ(refused(2, true), "rate is true, expected a number from -1 to 1");
  EXPECT_EQ(refused(4, "fast"), "step is \"fast\", expected a number from 0 to 2 or \"auto\"");
  EXPECT_EQ(refused(5, {1, "x"}),
            "weights is [1,\"x\"], expected a list of numbers above 0 and at most 1");
  EXPECT_EQ(refused(6, 3), "name is 3, expected a string");
}

}  // namespace
}  // namespace gradus
