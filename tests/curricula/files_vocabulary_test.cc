// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gradus/curricula/files/vocabulary.h"
#include "tests/curricula/files_fixture.h"

namespace gradus::files {
namespace {

// b four times, a and c twice, d once.
SymbolCounter counted() {
  SymbolCounter counter;
  for_each_symbol("cabbdbbac", Unit::kCharacter, [&](std::string_view s) { counter.met(s); });
  return counter;
}

TEST(Vocabulary, PutsTheUnknownTokenFirstThenTheMostFrequentThenByText) {
  const Vocabulary vocabulary(counted(), 100);
  ASSERT_EQ(vocabulary.size(), 5);
  EXPECT_EQ(vocabulary.text(0), "<unk>");
  EXPECT_EQ(vocabulary.text(1), "b");
  EXPECT_EQ(vocabulary.text(2), "a");
  EXPECT_EQ(vocabulary.text(3), "c");
  EXPECT_EQ(vocabulary.text(4), "d");
  EXPECT_EQ(vocabulary.met(), 9);
  EXPECT_EQ(vocabulary.unknown(), 0);
}

TEST(Vocabulary, CountsTheUnknownTokenInItsCapAndSendsTheRestThere) {
  const Vocabulary vocabulary(counted(), 3);
  ASSERT_EQ(vocabulary.size(), 3);
  // The counter's numbers: c = 1, a = 2, b = 3, d = 4.
  EXPECT_EQ(vocabulary.token(3), 1);
  EXPECT_EQ(vocabulary.token(2), 2);
  EXPECT_EQ(vocabulary.token(1), 0);
  EXPECT_EQ(vocabulary.token(4), 0);
  EXPECT_EQ(vocabulary.token(kNoToken), kNoToken);
  EXPECT_EQ(vocabulary.unknown(), 3);
}

TEST(Vocabulary, TakesTheUnknownTokenSpelledInTheDataForItself) {
  SymbolCounter counter;
  for_each_symbol("the <unk> sat", Unit::kWord, [&](std::string_view s) { counter.met(s); });
  const Vocabulary vocabulary(counter, 100);
  EXPECT_EQ(vocabulary.size(), 3);
  EXPECT_EQ(counter.met("<unk>"), 0);
  EXPECT_EQ(vocabulary.unknown(), 1);
}

TEST(Vocabulary, IsTheSameWhateverTheOrderOfTheData) {
  SymbolCounter other;
  for_each_symbol("bdbcacbab", Unit::kCharacter, [&](std::string_view s) { other.met(s); });
  const Vocabulary a(counted(), 100), b(other, 100);
  ASSERT_EQ(a.size(), b.size());
  for (int token = 0; token < a.size(); ++token) EXPECT_EQ(a.text(token), b.text(token));
}

}  // namespace
}  // namespace gradus::files
