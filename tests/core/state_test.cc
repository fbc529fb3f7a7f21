// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/state.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/refusal.h"

namespace gradus {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal_of_count(const json& state) {
  return refusal_of([&] { read_count(state, "rounds"); });
}

std::string refusal_of_numbers(const json& state) {
  return refusal_of([&] { read_numbers(state, "shares", 2); });
}

TEST(ReadCount, TakesWholeNumbersOfEitherSignedness) {
  EXPECT_EQ(read_count({{"rounds", 3}}, "rounds"), 3u);
  const auto largest = std::uint64_t{1} << 62;
  EXPECT_EQ(read_count({{"rounds", largest}}, "rounds"), largest);
  EXPECT_THAT(refusal_of_count({{"rounds", largest + 1}}),
              HasSubstr("rounds is 4611686018427387905, expected a whole number from 0 to 2^62"));
}

TEST(ReadCount, RefusesAllElseNamingTheKeyAndWhatItIs) {
  EXPECT_THAT(refusal_of_count({{"rounds", -1}}), HasSubstr("rounds is -1"));
  EXPECT_THAT(refusal_of_count({{"rounds", 2.5}}), HasSubstr("rounds is 2.5"));
  EXPECT_THAT(refusal_of_count({{"rounds", 2.0}}), HasSubstr("rounds is 2.0"));
  EXPECT_THAT(refusal_of_count({{"rounds", true}}), HasSubstr("rounds is of type boolean"));
  EXPECT_THAT(refusal_of_count({{"rounds", nullptr}}), HasSubstr("rounds is of type null"));
  EXPECT_THAT(refusal_of_count({{"rounds", "3"}}), HasSubstr("rounds is of type string"));
  EXPECT_THAT(refusal_of_count({{"round", 3}}), HasSubstr("has no \"rounds\""));
  EXPECT_THAT(refusal_of_count(json::array({3})), HasSubstr("it is of type array"));
}

TEST(ReadNumbers, TakesWholeAndOtherNumbers) {
  EXPECT_THAT(read_numbers({{"shares", {1, 0.5}}}, "shares", 2), ElementsAre(1, 0.5));
}

TEST(ReadNumbers, RefusesAllElseNamingTheKeyAndWhatItIs) {
  EXPECT_THAT(refusal_of_numbers({{"shares", {1, nullptr}}}),
              HasSubstr("shares[1] is of type null"));
  EXPECT_THAT(refusal_of_numbers({{"shares", {true, 1}}}),
              HasSubstr("shares[0] is of type boolean"));
  EXPECT_THAT(refusal_of_numbers({{"shares", {1, 2, 3}}}), HasSubstr("3 numbers, expected 2"));
  EXPECT_THAT(refusal_of_numbers({{"shares", 1}}), HasSubstr("expected a list of numbers"));
  EXPECT_THAT(refusal_of_numbers({{"shares", {1, HUGE_VAL}}}),
              HasSubstr("expected a finite number"));
  EXPECT_THAT(refusal_of_numbers(json::object()), HasSubstr("has no \"shares\""));
}

}  // namespace
}  // namespace gradus
