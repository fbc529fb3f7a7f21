// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/core/error.h"
#include "gradus/curricula/ngram/corpus.h"
#include "gradus/curricula/ngram/models.h"
#include "gradus/curricula/ngram/text.h"
#include "tests/temporary_folder.h"

namespace gradus {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class NgramText : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& bytes) const {
    return folder_.write(name, bytes);
  }

  testing::TemporaryFolder folder_;
};

TEST_F(NgramText, TheAlphabetIsTheDistinctCharactersInOrder) {
  const NgramCorpus corpus = make_corpus(
      "b\xc3\xa9"
      "a\xe2\x82\xac"
      "b\xf0\x9f\x8e\x93",
      "test");
  EXPECT_EQ(corpus.alphabet.size(), 5);
  EXPECT_EQ(corpus.symbols, (std::vector<Symbol>{1, 2, 0, 3, 1, 4}));
  EXPECT_EQ(corpus.alphabet.character(3), U'\u20ac');
  EXPECT_EQ(corpus.alphabet.decode(corpus.symbols),
            "b\xc3\xa9"
            "a\xe2\x82\xac"
            "b\xf0\x9f\x8e\x93");
}

TEST_F(NgramText, BytesThatAreNotUtf8AreRefusedWithTheirLine) {
  const std::vector<std::string> wrong = {
      "\x80",              // a continuation byte alone
      "\xc3",              // truncated
      "\xc3(",             // a lead byte without its continuation
      "\xc0\xaf",          // overlong
      "\xe0\x80\xaf",      // overlong
      "\xed\xa0\x80",      // a surrogate
      "\xf4\x90\x80\x80",  // above the last code point
      "\xff",
  };
  for (const std::string& bytes : wrong) {
    EXPECT_THAT(
        [&] { make_corpus("good\n" + bytes, "some.txt"); },
        ThrowsMessage<InputError>(AllOf(HasSubstr("some.txt, line 2"), HasSubstr("UTF-8"))));
  }
}

TEST_F(NgramText, BadCorporaAreRefusedByNameAndReason) {
  EXPECT_THAT([&] { load_corpus(file("empty.txt", "")); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("empty.txt"), HasSubstr("is empty"))));
  EXPECT_THAT([&] { load_corpus(folder_.path("absent.txt")); },
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("absent.txt"), HasSubstr("No such file or directory"))));
  EXPECT_THAT([&] { load_corpus(folder_.path().string()); },
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr(folder_.path().string()), HasSubstr("Is a directory"))));
}

TEST_F(NgramText, ScoringNamesTheFileLineAndCharacterOutsideTheAlphabet) {
  const NgramModels models({.corpus = file("corpus.txt", "abc abc\nabc\n"), .cache = "none"});
  EXPECT_THAT(
      [&] { models.bits_per_character(2, file("a.txt", "abc\nab\ncz\n")); },
      ThrowsMessage<InputError>(AllOf(HasSubstr("a.txt, line 3"), HasSubstr("\"z\" (U+007A)"))));
  EXPECT_THAT([&] { models.bits_per_character(2, file("b.txt", "a\tb")); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("b.txt, line 1"), HasSubstr("U+0009"))));
  EXPECT_THAT([&] { models.bits_per_character(2, file("c.txt", "")); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("c.txt"), HasSubstr("is empty"))));
  EXPECT_THAT([&] { models.model(11); },
              ThrowsMessage<InputError>(HasSubstr("order is 11, expected 0..10")));
}

TEST_F(NgramText, ScoresAFileInBitsACharacter) {
  const NgramModels models({.corpus = file("corpus.txt", "abababab"), .cache = "none"});
  EXPECT_DOUBLE_EQ(models.bits_per_character(0, file("a.txt", "aabb")), 1.0);
}

}  // namespace
}  // namespace gradus
