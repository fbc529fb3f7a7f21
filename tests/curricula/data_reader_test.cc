// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/data_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/curricula/curricula.h"
#include "tests/refusal.h"

namespace gradus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::unique_ptr<DataReader> files_reader(files::Unit unit = files::Unit::kCharacter) {
  CurriculumSettings settings;
  auto& files = std::get<FilesSettings>(settings);
  files.unit = unit;
  files.sequence = 4;
  files.context = 1;
  return make_reader("files", settings, {"<unk>", "a", "b", "12"});
}

std::unique_ptr<DataReader> ngram_reader() {
  CurriculumSettings settings;
  auto& ngram = std::get<NgramSettings>(settings);
  ngram.sequence = 4;
  ngram.context = 1;
  return make_reader("ngram", settings, {"a", "b"});
}

std::unique_ptr<DataReader> babi_reader() {
  return make_reader("babi", {},
                     {"-", ".", "?", "is", "john", "kitchen", "the", "to", "went", "where"});
}

// "abxba" is "abxb" and the rest "a", which has nothing to score.
TEST(DataReader, CutsATextAsTheCurriculumDoesAndCountsUnknownSymbols) {
  const EncodedData data = files_reader()->read("abxba", "my.txt");
  ASSERT_EQ(data.sequences.size(), 1u);
  EXPECT_THAT(data.sequences[0].tokens, ElementsAre(kNoToken, 1, 2, 0));
  EXPECT_THAT(data.sequences[0].targets, ElementsAre(0, 2, 0, 2));
  EXPECT_THAT(data.sequences[0].scored, ElementsAre(0, 1, 1, 1));
  EXPECT_EQ(data.unit, "character");
  EXPECT_EQ(data.symbols, 5);
  EXPECT_EQ(data.unknown, 1);
  EXPECT_EQ(files_reader(files::Unit::kWord)->read("a b", "my.txt").unit, "word");
  EXPECT_EQ(refusal_of([] { files_reader()->read("a", "my.txt"); }),
            "my.txt:1: 1 character in the file make no sequence of 4 (files.sequence), 1 of them "
            "context (files.context)");
}

TEST(DataReader, ReadsASingleLineOfJson) {
  const EncodedData data =
      files_reader()->read(R"({"input": ["a", 12, "c"], "target": ["b"]})", "my.jsonl");
  ASSERT_EQ(data.sequences.size(), 1u);
  EXPECT_THAT(data.sequences[0].tokens, ElementsAre(1, 3, 0));
  EXPECT_THAT(data.sequences[0].scored, ElementsAre(0, 0, 1));
  EXPECT_EQ(data.sequences[0].targets[2], 2u);
  EXPECT_EQ(data.unit, "");
  EXPECT_EQ(data.unknown, 1);
}

// Scored steps of each question.
std::vector<std::vector<int>> due(const std::string& lines) {
  std::int64_t unknown = 0;
  std::vector<std::vector<int>> all;
  for (const Questions& questions : files_reader()->read_questions(lines, "in", unknown)) {
    std::vector<int> steps;
    for (int t = 0; t < questions.sequence.length(); ++t) {
      if (questions.sequence.scored[t] != 0) steps.push_back(t);
    }
    EXPECT_THAT(questions.ends, ElementsAre(steps.back()));
    all.push_back(steps);
  }
  EXPECT_EQ(unknown, 0);
  return all;
}

TEST(DataReader, AsksWhereATargetIsDueWhateverItIs) {
  EXPECT_THAT(due(R"({"input": ["a", "b", null, null]})"), ElementsAre(ElementsAre(1, 2, 3)));
  EXPECT_THAT(due(R"({"input": "ab"})"), ElementsAre(ElementsAre(1)));
  EXPECT_THAT(due(R"({"input": [null, null]})"), ElementsAre(ElementsAre(0, 1)));
  EXPECT_THAT(due(R"({"input": "abab", "target": 3})"), ElementsAre(ElementsAre(1, 2, 3)));
  EXPECT_THAT(due("{\"input\": \"abab\", \"target\": [\"?\", null, \"?\"]}\n\n"
                  "{\"input\": \"ab\", \"target\": \"zz\"}"),
              ElementsAre(ElementsAre(1, 3), ElementsAre(0, 1)));
  EXPECT_EQ(refusal_of([] { due(R"({"input": "ab", "target": 3})"); }),
            "in:1: \"target\" is 3, expected at most 2, the length of \"input\"");
  EXPECT_THAT(refusal_of([] { due(R"({"input": "ab", "target": 0})"); }),
              HasSubstr("no token to score"));
  EXPECT_THAT(refusal_of([] { due(R"({"target": "ab"})"); }), HasSubstr("has no \"input\""));
}

TEST(DataReader, JoinsTheAnswersToStringsOfCharacters) {
  std::int64_t unknown = 0;
  const auto questions = files_reader()->read_questions(
      "{\"input\": \"ab\"}\n{\"input\": [\"a\", \"b\"]}", "in", unknown);
  EXPECT_EQ(questions[0].separator, "");
  EXPECT_EQ(questions[1].separator, " ");
  const auto words =
      files_reader(files::Unit::kWord)->read_questions(R"({"input": "a x"})", "in", unknown);
  EXPECT_EQ(words[0].separator, " ");
  EXPECT_EQ(unknown, 1);
}

TEST(DataReader, ReadsPromptsByCharacterOrByWord) {
  std::int64_t unknown = 0;
  EXPECT_THAT(files_reader()->read_prompt("baz", unknown), ElementsAre(2, 1, 0));
  EXPECT_EQ(unknown, 1);
  EXPECT_THAT(files_reader(files::Unit::kWord)->read_prompt("12 b", unknown), ElementsAre(3, 2));
  EXPECT_EQ(files_reader()->separator(), "");
  EXPECT_EQ(files_reader(files::Unit::kWord)->separator(), " ");
  EXPECT_THAT(files_reader()->read_prompt("", unknown), ElementsAre());
  EXPECT_THAT(ngram_reader()->read_prompt("ba", unknown), ElementsAre(1, 0));
  EXPECT_EQ(unknown, 1);
  EXPECT_THAT(
      refusal_of([&] { ngram_reader()->read_prompt("a\nc", unknown); }),
      HasSubstr("the prompt, line 1: the character U+000A is not in the corpus's alphabet"));
  EXPECT_THAT(refusal_of([&] { babi_reader()->read_prompt("where", unknown); }),
              HasSubstr("gradus answer"));
}

TEST(DataReader, CutsTextsForNgramsAndRefusesOtherCharacters) {
  const EncodedData data = ngram_reader()->read("abbaba", "my.txt");
  ASSERT_EQ(data.sequences.size(), 2u);
  EXPECT_THAT(data.sequences[0].tokens, ElementsAre(kNoToken, 0, 1, 1));
  EXPECT_THAT(data.sequences[0].targets, ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(data.sequences[1].tokens, ElementsAre(kNoToken, 1));
  EXPECT_THAT(data.sequences[1].scored, ElementsAre(0, 1));
  EXPECT_THAT(refusal_of([] { ngram_reader()->read("abc", "my.txt"); }),
              HasSubstr("my.txt, line 1: the character \"c\""));
  EXPECT_EQ(refusal_of([] { ngram_reader()->read("a", "my.txt"); }),
            "my.txt: has 1 characters, expected more than the context, 1 (ngram.context)");
  std::int64_t unknown = 0;
  EXPECT_THAT(refusal_of([&] { ngram_reader()->read_questions("a", "in", unknown); }),
              HasSubstr("gradus sample"));
}

TEST(DataReader, AsksForOneWordOrAsManyAsAnAnswerHas) {
  std::int64_t unknown = 0;
  const auto all = babi_reader()->read_questions(
      "1 John went to the kitchen.\n"
      "2 Where is John?\n"
      "3 Where is the kitchen? \tn,w\t1\n"
      "1 Where is John?\tkitchen\n",
      "in", unknown);
  ASSERT_EQ(all.size(), 2u);
  // 6 words, 4 words and an answer, 5 words and two answers.
  EXPECT_EQ(all[0].sequence.length(), 6 + 5 + 7);
  EXPECT_THAT(all[0].ends, ElementsAre(10, 17));
  EXPECT_EQ(all[0].sequence.scored[16], 1);
  EXPECT_THAT(all[1].ends, ElementsAre(4));
  EXPECT_EQ(all[0].separator, ",");
  EXPECT_EQ(refusal_of([&] { babi_reader()->read_questions("1 Mary went.\n", "in", unknown); }),
            "in, line 1: the story that starts here has no question");
  EXPECT_EQ(refusal_of([&] { babi_reader()->read_questions("1 Where is Mary?\n", "in", unknown); }),
            "in, story 1: the word \"mary\" is not in the vocabulary of 10 words");
}

TEST(DataReader, ReadsStoriesWithTheirAnswers) {
  const EncodedData data =
      babi_reader()->read("1 John went to the kitchen.\n2 Where is John?\tkitchen\t1\n", "my.txt");
  ASSERT_EQ(data.sequences.size(), 1u);
  EXPECT_EQ(data.sequences[0].targets.back(), 5u);
  EXPECT_EQ(data.symbols, 11);
}

TEST(DataReader, IsRefusedForCurriculaThatReadNothing) {
  EXPECT_THAT(refusal_of([] { make_reader("repeat-copy", {}, {}); }),
              HasSubstr("curriculum repeat-copy generates all its data"));
  EXPECT_THAT(refusal_of([] { make_reader("repeat-cpy", {}, {}); }),
              HasSubstr("did you mean \"repeat-copy\""));
}

}  // namespace
}  // namespace gradus
