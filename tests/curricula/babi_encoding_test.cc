// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/core/error.h"
#include "gradus/curricula/babi/encoding.h"
#include "gradus/curricula/babi/reader.h"

namespace gradus::babi {
namespace {

using testing::ElementsAre;

TEST(BabiWords, AreLowerCaseWithMarksOfTheirOwn) {
  EXPECT_THAT(words_of("Where is Mary?"), ElementsAre("where", "is", "mary", "?"));
  EXPECT_THAT(words_of("The box of chocolates."),
              ElementsAre("the", "box", "of", "chocolates", "."));
  EXPECT_THAT(words_of("  Jane's  well-known,\"cat\" - (2) "),
              ElementsAre("jane's", "well-known", "cat", "2"));
  EXPECT_THAT(words_of("na\u00efve \u00c9."), ElementsAre("na\u00efve", "\u00c9", "."));
  EXPECT_THAT(words_of(""), ElementsAre());
}

TEST(BabiVocabulary, IsSortedWithTheMarksAndNoWordTwice) {
  const Vocabulary vocabulary({"the", "apple", "the", "."});
  EXPECT_THAT(vocabulary.words(), ElementsAre("-", ".", "?", "apple", "the"));
  EXPECT_EQ(vocabulary.find("apple"), 3);
  EXPECT_EQ(vocabulary.find("milk"), std::nullopt);
}

TEST(BabiVocabulary, OfTheGeneratorHas141WordsAndThreeMarks) {
  const Vocabulary vocabulary(generator_words());
  EXPECT_EQ(vocabulary.size(), 144);
  EXPECT_TRUE(std::ranges::is_sorted(vocabulary.words()));
  const DataSpec spec = data_spec(vocabulary);
  EXPECT_EQ(spec.input, (InputSpec{.tokens = 144, .bits = 1, .reals = 0}));
  EXPECT_EQ(spec.output, (OutputSpec{OutputKind::kSoftmax, 144}));
}

// The sequence step by step: the input word, or an arrow and the target if the step is scored.
std::vector<std::string> readable(const Sequence& sequence, const Vocabulary& vocabulary) {
  std::vector<std::string> steps;
  for (int t = 0; t < sequence.length(); ++t) {
    std::string step = vocabulary.words()[sequence.tokens[t]];
    EXPECT_EQ(sequence.bits[t], sequence.scored[t]);
    if (sequence.scored[t] != 0) step += ">" + vocabulary.words()[sequence.targets[t]];
    steps.push_back(step);
  }
  return steps;
}

TEST(BabiEncoding, PromptsForEachAnswerWordAndGoesOn) {
  const Story story = read_stories(
      "1 John got the apple.\n"
      "2 John took the milk.\n"
      "3 What is John holding?\tapple,milk\t1 2\n"
      "4 John gave Mary the milk.\n"
      "5 Who received the milk?\tMary\t4\n",
      "story")[0];
  const Vocabulary vocabulary(generator_words());
  EXPECT_THAT(readable(encode(story, vocabulary), vocabulary),
              ElementsAre("john", "got", "the", "apple", ".",          //
                          "john", "took", "the", "milk", ".",          //
                          "what", "is", "john", "holding", "?",        //
                          "->apple", "->milk",                         //
                          "john", "gave", "mary", "the", "milk", ".",  //
                          "who", "received", "the", "milk", "?", "->mary"));
}

TEST(BabiEncoding, NamesAWordThatItDoesNotKnow) {
  const Story story = read_stories("1 A b.\n2 C d?\te\t1\n", "story")[0];
  try {
    encode(story, Vocabulary({"a", "b", "c", "d"}));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "the word \"e\" is not in the vocabulary of 7 words");
  }
}

}  // namespace
}  // namespace gradus::babi
