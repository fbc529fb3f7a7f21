// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/curricula/files/text_file.h"
#include "gradus/curricula/files/text_task.h"
#include "gradus/files/utf8.h"
#include "tests/curricula/files_fixture.h"

namespace gradus::files {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Utf8, FindsTheFirstByteThatIsNotPartOfACodePoint) {
  constexpr auto kNone = std::string_view::npos;
  EXPECT_EQ(find_invalid_utf8("a\u00e9\u20ac\U0001d11e"), kNone);
  EXPECT_EQ(find_invalid_utf8("\x7f\xc2\x80\xef\xbf\xbf\xf4\x8f\xbf\xbf"), kNone);
  EXPECT_EQ(find_invalid_utf8("ab\xff"), 2u);
  EXPECT_EQ(find_invalid_utf8("a\x80"), 1u) << "a continuation byte alone";
  EXPECT_EQ(find_invalid_utf8("\xc0\xaf"), 0u) << "overlong, two bytes";
  EXPECT_EQ(find_invalid_utf8("\xe0\x80\xaf"), 0u) << "overlong, three bytes";
  EXPECT_EQ(find_invalid_utf8("\xed\xa0\x80"), 0u) << "a surrogate";
  EXPECT_EQ(find_invalid_utf8("\xf4\x90\x80\x80"), 0u) << "past U+10FFFF";
  EXPECT_EQ(find_invalid_utf8("a\xe2\x82"), 1u) << "cut short";
}

TEST(CheckedText, NamesTheLineOfTheFirstByteThatIsNotUtf8) {
  const std::string message = input_error([] { checked_text("one\ntwo\nth\xe9me\n", "t.txt"); });
  EXPECT_EQ(message, "t.txt:3: not UTF-8: byte 0xe9");
}

TEST(CheckedText, RefusesAnEmptyFileAndOneOfAByteOrderMarkAlone) {
  EXPECT_EQ(input_error([] { checked_text("", "t.txt"); }), "t.txt:1: the file is empty");
  EXPECT_EQ(input_error([] { checked_text("\xef\xbb\xbf", "t.txt"); }),
            "t.txt:1: the file is empty");
  EXPECT_EQ(checked_text("\xef\xbb\xbfx", "t.txt"), "x");
}

// "abcdefgh" in sequences of 3 with 1 of context: abc, def, and the rest gh, which is longer than
// the context.
TEST(ReadText, CutsDisjointSequencesAndPredictsEachSymbolFromTheOneBefore) {
  SymbolCounter counter;
  const TaskSequences read = read_text("abcdefgh", "t", {Unit::kCharacter, 3, 1}, counter);
  ASSERT_EQ(read.size(), 3u);
  const Sequence first = read.sequence(0);  // a = 1, b = 2, ..., in order of appearance
  EXPECT_THAT(first.tokens, ElementsAre(kNoToken, 1, 2));
  EXPECT_THAT(first.scored, ElementsAre(0, 1, 1));
  EXPECT_THAT(first.targets, ElementsAre(0, 2, 3));
  const Sequence last = read.sequence(2);
  EXPECT_THAT(last.tokens, ElementsAre(kNoToken, 7));
  EXPECT_THAT(last.scored, ElementsAre(0, 1));
  EXPECT_THAT(last.targets, ElementsAre(0, 8));
}

TEST(ReadText, LeavesOutARestThatHasNothingToScore) {
  SymbolCounter counter;
  EXPECT_EQ(read_text("abcdefg", "t", {Unit::kCharacter, 3, 1}, counter).size(), 2u);
  EXPECT_EQ(read_text("abcdefg", "t", {Unit::kCharacter, 3, 0}, counter).size(), 3u);
}

TEST(ReadText, TakesACodePointForOneCharacterAndKeepsLineEnds) {
  SymbolCounter counter;
  const TaskSequences read = read_text("\u00e9\n\u20acx", "t", {Unit::kCharacter, 2, 0}, counter);
  EXPECT_THAT(read.sequence(0).targets, ElementsAre(1, 2));
  EXPECT_THAT(read.sequence(1).targets, ElementsAre(3, 4));
}

TEST(ReadText, SplitsWordsAtAnyAsciiWhiteSpace) {
  SymbolCounter counter;
  const TaskSequences read =
      read_text(" the cat,\r\n\tthe\vdog\f", "t", {Unit::kWord, 2, 0}, counter);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_THAT(read.sequence(0).targets, ElementsAre(1, 2));
  EXPECT_THAT(read.sequence(1).targets, ElementsAre(1, 3));
}

TEST(ReadText, RefusesATextThatMakesFewerThanTwoSequences) {
  SymbolCounter counter;
  const TextSettings settings{Unit::kCharacter, 150, 50};
  const std::string one =
      input_error([&] { read_text(std::string(200, 'x'), "t.txt", settings, counter); });
  EXPECT_THAT(one, HasSubstr("t.txt:1: 200 characters in the file make only one sequence of 150 "));
  EXPECT_THAT(one, HasSubstr("(files.sequence)"));
  EXPECT_THAT(input_error([&] {
                read_text(" \n ", "t.txt", {Unit::kWord, 5, 0}, counter);
              }),
              HasSubstr("t.txt:1: 0 words in the file make no sequence of 5"));
}

}  // namespace
}  // namespace gradus::files
