// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/curricula/files/json_lines.h"
#include "tests/curricula/files_fixture.h"

namespace gradus::files {
namespace {

using testing::ElementsAre;

// Appends a valid second line, since a task needs two sequences.
constexpr const char* kGood = "\n{\"input\": \"ab\", \"target\": \"ba\"}\n";

Sequence first_of(const std::string& line, Unit unit = Unit::kCharacter) {
  SymbolCounter counter;
  return read_json_lines(line + kGood, "d.jsonl", unit, counter).sequence(0);
}

std::string refusal(const std::string& line) {
  SymbolCounter counter;
  return input_error(
      [&] { read_json_lines(kGood + line + kGood, "d.jsonl", Unit::kCharacter, counter); });
}

// Symbols are numbered in order of appearance: 3 = 1, 1 = 2, 2 = 3.
TEST(JsonLines, ScoresAShorterTargetAtTheEndOfItsInput) {
  const Sequence s = first_of(R"({"input": [3, 1, 2, null, null, null], "target": [1, 2, 3]})");
  EXPECT_THAT(s.tokens, ElementsAre(1, 2, 3, kNoToken, kNoToken, kNoToken));
  EXPECT_THAT(s.scored, ElementsAre(0, 0, 0, 1, 1, 1));
  EXPECT_THAT(s.targets, ElementsAre(0, 0, 0, 2, 3, 1));
}

TEST(JsonLines, ScoresEachStepOfATargetOfEqualLengthButNull) {
  const Sequence s = first_of(R"({"input": ["x", "y", "z"], "target": ["N", null, "V"]})");
  EXPECT_THAT(s.tokens, ElementsAre(1, 2, 3));
  EXPECT_THAT(s.scored, ElementsAre(1, 0, 1));
  EXPECT_THAT(s.targets, ElementsAre(4, 0, 5));
}

TEST(JsonLines, SplitsStringsIntoTheUnitAndTakesArrayEntriesWhole) {
  const Sequence characters = first_of(R"({"input": "a b", "target": "b"})");
  EXPECT_THAT(characters.tokens, ElementsAre(1, 2, 3));
  EXPECT_THAT(characters.targets, ElementsAre(0, 0, 3));
  const Sequence words = first_of(R"({"input": "a b", "target": ["a b"]})", Unit::kWord);
  EXPECT_THAT(words.tokens, ElementsAre(1, 2));
  EXPECT_THAT(words.targets, ElementsAre(0, 3));
}

TEST(JsonLines, TakesAnIntegerAndItsDigitsForOneToken) {
  const Sequence s = first_of(R"({"input": [-7, "-7", 18446744073709551615], "target": [0]})");
  EXPECT_THAT(s.tokens, ElementsAre(1, 1, 2));
}

TEST(JsonLines, SkipsBlankLinesAndIgnoresOtherKeysAndCarriageReturns) {
  SymbolCounter counter;
  const std::string text =
      "{\"input\": \"a\", \"target\": \"a\", \"id\": 7}\r\n \r\n\n"
      "{\"input\": \"b\", \"target\": \"b\"}";
  EXPECT_EQ(read_json_lines(text, "d.jsonl", Unit::kCharacter, counter).size(), 2u);
}

TEST(JsonLines, NamesFileLineAndReasonOfBadData) {
  const std::string expected = R"(, expected {"input": ..., "target": ...})";
  EXPECT_EQ(refusal(R"({"input": "ab", "target": "abc"})"),
            R"(d.jsonl:3: "target" has 3 tokens, expected at most 2, the length of "input")");
  EXPECT_EQ(refusal("{\"input\": \"ab\", "), "d.jsonl:3: not JSON at column 17" + expected);
  EXPECT_EQ(refusal("[1]"), "d.jsonl:3: is array" + expected);
  EXPECT_EQ(refusal(R"({"input": "ab", "targets": "a"})"),
            R"(d.jsonl:3: has no "target")" + expected);
  EXPECT_EQ(refusal(R"({"input": 1e999, "target": "a"})"),
            "d.jsonl:3: not JSON: a number is too large");
  EXPECT_EQ(refusal(R"({"input": "", "target": ""})"), R"(d.jsonl:3: "input" is empty)");
  EXPECT_EQ(refusal(R"({"input": "ab", "target": ""})"),
            R"(d.jsonl:3: "target" has no token to score)");
  EXPECT_EQ(refusal(R"({"input": "ab", "target": [null]})"),
            R"(d.jsonl:3: "target" has no token to score)");
  EXPECT_EQ(refusal(R"({"input": 5, "target": "a"})"),
            R"(d.jsonl:3: "input" is number, expected a string or an array)");
  const std::string entry = ", expected a string, an integer or null";
  EXPECT_EQ(refusal(R"({"input": [1, 2.5], "target": "a"})"),
            R"(d.jsonl:3: "input"[1] is not an integer)" + entry);
  EXPECT_EQ(refusal(R"({"input": "ab", "target": [true]})"),
            R"(d.jsonl:3: "target"[0] is boolean)" + entry);
  EXPECT_EQ(refusal(R"({"input": [""], "target": "a"})"),
            R"(d.jsonl:3: "input"[0] is an empty string)" + entry);
}

TEST(JsonLines, RefusesATaskWithFewerThanTwoSequences) {
  SymbolCounter counter;
  const auto message = [&](const char* text) {
    return input_error([&] { read_json_lines(text, "d.jsonl", Unit::kCharacter, counter); });
  };
  EXPECT_EQ(message("\n\n"),
            "d.jsonl:2: the file has no sequence; a task needs two, one to train on and one to "
            "hold out");
  EXPECT_EQ(
      message("{\"input\": \"a\", \"target\": \"a\"}"),
      "d.jsonl:1: the file has only one sequence; a task needs two, one to train on and one to "
      "hold out");
}

}  // namespace
}  // namespace gradus::files
