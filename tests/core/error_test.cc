// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/error.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/refusal.h"

namespace gradus {
namespace {

using testing::HasSubstr;

TEST(ToText, IsShortAndNamesWhatIsNoNumber) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(-2), "-2");
  EXPECT_EQ(to_text(std::nan("")), "nan");
  EXPECT_EQ(to_text(kInfinity), "inf");
  EXPECT_EQ(to_text(-kInfinity), "-inf");
}

RC_GTEST_PROP(ToText, ReadsBackAsTheSameNumber, (double value)) {
  const std::string text = to_text(value);
  double read = 0;
  std::from_chars(text.data(), text.data() + text.size(), read);
  RC_ASSERT(read == value);
}

const std::vector<std::string>& names() {
  static const std::vector<std::string> names = {"exp3s", "exp3", "uniform", "fixed"};
  return names;
}

TEST(NearestName, IsTheOneWithTheFewestEdits) {
  EXPECT_EQ(nearest_name("exp3S", names()), "exp3s");
  EXPECT_EQ(nearest_name("unifrom", names()), "uniform");
  EXPECT_EQ(nearest_name("fixd", names()), "fixed");
  EXPECT_EQ(nearest_name("exp3", names()), "exp3");
}

TEST(NearestName, IsEmptyWhereNothingIsNear) {
  EXPECT_EQ(nearest_name("thompson", names()), "");
  EXPECT_EQ(nearest_name("", names()), "");
  EXPECT_EQ(nearest_name("exp3", {}), "");
}

TEST(NearestFirst, SortsByDistanceAndKeepsTheOrderOfTies) {
  const std::vector<std::string> names = {"uniform", "spg", "pg", "l2g"};
  EXPECT_EQ(nearest_first("pg", names), (std::vector<std::string>{"pg", "spg", "l2g", "uniform"}));
  EXPECT_EQ(nearest_first("xx", names), (std::vector<std::string>{"pg", "spg", "l2g", "uniform"}));
}

std::string unknown_message(const std::string& name) {
  try {
    throw_unknown("policy", name, names());
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(ThrowUnknown, OffersTheNearestName) {
  EXPECT_EQ(unknown_message("unifrm"), R"(unknown policy "unifrm"; did you mean "uniform"?)");
}

TEST(FindKnown, ReturnsThePositionAndRefusesOtherNamesAsThrowUnknownDoes) {
  EXPECT_EQ(find_known("policy", "exp3", names()), 1);
  EXPECT_EQ(refusal_of([] { find_known("policy", "unifrm", names()); }), unknown_message("unifrm"));
}

TEST(FindEntry, ReturnsTheEntryOfThatNameAndRefusesOthersAsThrowUnknownDoes) {
  struct Entry {
    std::string name;
    int value;
  };
  const std::vector<Entry> entries = {{"exp3s", 1}, {"exp3", 2}, {"uniform", 3}, {"fixed", 4}};
  EXPECT_EQ(find_entry("policy", "exp3", entries).value, 2);
  EXPECT_EQ(refusal_of([&] { find_entry("policy", "unifrm", entries); }),
            unknown_message("unifrm"));
}

TEST(ThrowUnknown, ListsAllNamesWhereNoneIsNear) {
  EXPECT_THAT(unknown_message("thompson"), HasSubstr("expected one of: exp3s exp3 uniform fixed"));
}

}  // namespace
}  // namespace gradus
