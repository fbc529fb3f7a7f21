// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "gradus/core/error.h"
#include "gradus/curricula/babi/encoding.h"
#include "gradus/curricula/babi/reader.h"
#include "tests/curricula/babi_text.h"

namespace gradus::babi {
namespace {

const std::set<std::string> kNames{"John",  "Daniel", "Mary",     "Sandra", "Gertrude", "Winona",
                                   "Emily", "Lily",   "Bernhard", "Greg",   "Julius",   "Brian",
                                   "Jason", "Sumit",  "Antoine",  "Yann",   "Jessica"};

TEST(BabiStory, WritesNumbersTabsCommasAndSpacesAsTheDatasetDoes) {
  Story story;
  EXPECT_EQ(story.say({"the ", "box", " is bigger than the ", "suitcase", "."}), 1);
  EXPECT_EQ(story.say({"John", " got the apple."}), 2);
  story.ask_words({"what is ", "John", " holding?"}, {"apple", "milk"}, {2, 1, 2});
  EXPECT_EQ(story.next_line(), 4);
  EXPECT_EQ(to_text(story),
            "1 The box is bigger than the suitcase.\n"
            "2 John got the apple.\n"
            "3 What is John holding?\tapple,milk\t1 2\n");
}

TEST(BabiTasks, AreFoundByNumberTitleAndOfficialName) {
  EXPECT_EQ(all_tasks()[18].number, 19);
  for (const char* name : {"19", "qa19", "Path Finding", "path-finding", "path_finding"}) {
    EXPECT_EQ(find_task(name), 18) << name;
  }
  for (const Task& task : all_tasks()) {
    EXPECT_EQ(find_task(task.slug), task.number - 1);
    EXPECT_EQ(find_task(task.title), task.number - 1);
  }
  EXPECT_THROW(find_task("0"), InputError);
  EXPECT_THROW(find_task(""), InputError);
  try {
    find_task("21");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "unknown bAbI task \"21\"; expected a number from 1 to 20 or a name such as "
                 "path-finding");
  }
  try {
    find_task("Path Finder");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "unknown bAbI task \"Path Finder\"; did you mean path-finding?");
  }
}

// Any story of any task.
struct Drawn {
  int number;
  Rules rules;
  std::string text;
};

Drawn draw_any() {
  const int number = *rc::gen::inRange(1, kTaskCount + 1);
  const Rules rules{*rc::gen::element(Variant::kP, Variant::kH), *rc::gen::arbitrary<bool>()};
  Random random(*rc::gen::arbitrary<std::uint64_t>(), Purpose::kSample, 0, number);
  return {number, rules, to_text(all_tasks()[number - 1].generate(rules, random))};
}

bool is_made_of(std::string_view text, std::string_view others, bool (*kind)(char)) {
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return kind(c) || others.find(c) != std::string_view::npos;
  });
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A line is a number, one space and a sentence. A question then has a TAB, words and commas, a TAB,
// and numbers.
bool is_well_formed(const std::string& line) {
  const std::vector<std::string> fields = split(line, '\t');
  const std::size_t space = line.find(' ');
  if (!is_made_of(line.substr(0, space), "", is_digit) || line[0] == '0') return false;
  const std::string body = fields[0].substr(space + 1);
  const std::string words = body.substr(0, body.size() - 1);
  const bool letters = is_made_of(words, " ", is_letter) && is_letter(words.back());
  if (!letters || !(words[0] >= 'A' && words[0] <= 'Z')) return false;
  if (fields.size() == 1) return body.back() == '.';
  return fields.size() == 3 && body.back() == '?' && is_made_of(fields[1], ",", is_letter) &&
         is_letter(fields[1].front()) && is_letter(fields[1].back()) &&
         is_made_of(fields[2], " ", is_digit) && is_digit(fields[2].front()) &&
         is_digit(fields[2].back());
}

RC_GTEST_PROP(BabiFormat, EveryLineIsNumberedPunctuatedAndSupported, ()) {
  const Drawn drawn = draw_any();
  RC_ASSERT(drawn.text.back() == '\n');
  for (const std::string& line : split(drawn.text, '\n')) {
    RC_ASSERT(is_well_formed(line));
    RC_ASSERT(line.find("  ") == std::string::npos);
  }
  const TextStory story = take_apart(drawn.text);
  for (std::size_t i = 0; i < story.size(); ++i) {
    RC_ASSERT(story[i].number == static_cast<int>(i) + 1);
    // RC_ASSERT does not short-circuit its argument.
    int before = 0;
    for (const int fact : story[i].support) {
      RC_ASSERT(fact > before);
      RC_ASSERT(fact < story[i].number);
      RC_ASSERT(!story[fact - 1].question);
      before = fact;
    }
  }
  RC_ASSERT(story.back().question);
}

RC_GTEST_PROP(BabiFormat, OnlyNamesAndFirstWordsAreCapitalised, ()) {
  for (const TextLine& line : take_apart(draw_any().text)) {
    std::vector<std::string> words(line.words.begin() + 1, line.words.end());
    if (line.question) words.push_back(line.answer);
    for (const std::string& word : words) {
      const bool capital = word[0] >= 'A' && word[0] <= 'Z';
      RC_ASSERT(capital == kNames.contains(word));
    }
  }
}

RC_GTEST_PROP(BabiFormat, WritingReadingAndWritingAgainChangesNoByte, ()) {
  std::string text;
  const int count = *rc::gen::inRange(1, 5);
  for (int i = 0; i < count; ++i) text += draw_any().text;
  const std::vector<Story> stories = read_stories(text, "generated");
  RC_ASSERT(stories.size() == static_cast<std::size_t>(count));
  std::string again;
  for (const Story& story : stories) again += to_text(story);
  RC_ASSERT(again == text);
}

TEST(BabiFormat, TheVariantsDifferOnlyInTasksFourFiveSeventeenAndNineteen) {
  for (int number = 1; number <= kTaskCount; ++number) {
    bool differ = false;
    for (int i = 0; i < 50; ++i) {
      Random random_p(7, Purpose::kSample, i, number);
      Random random_h(7, Purpose::kSample, i, number);
      const auto& generate = all_tasks()[number - 1].generate;
      differ = differ || generate({.variant = Variant::kP, .consistent = false}, random_p) !=
                             generate({.variant = Variant::kH, .consistent = false}, random_h);
    }
    EXPECT_EQ(differ, number == 4 || number == 5 || number == 17 || number == 19) << number;
  }
}

TEST(BabiFormat, ConsistentChangesOnlyTasksSeventeenInPAndNineteenInBoth) {
  for (const Variant variant : {Variant::kP, Variant::kH}) {
    for (int number = 1; number <= kTaskCount; ++number) {
      bool differ = false;
      for (int i = 0; i < 50; ++i) {
        Random random_plain(7, Purpose::kSample, i, number);
        Random random_mended(7, Purpose::kSample, i, number);
        const auto& generate = all_tasks()[number - 1].generate;
        differ = differ || generate({variant, false}, random_plain) !=
                               generate({variant, true}, random_mended);
      }
      EXPECT_EQ(differ, number == 19 || (number == 17 && variant == Variant::kP)) << number;
    }
  }
}

// The generator writes all words of section 3 of the specification and no others. Only variant H
// writes "last".
TEST(BabiFormat, WritesExactlyItsVocabulary) {
  std::map<Variant, std::set<std::string, std::less<>>> words;
  for (const Variant variant : {Variant::kP, Variant::kH}) {
    for (int number = 1; number <= kTaskCount; ++number) {
      for (int i = 0; i < 1000; ++i) {
        Random random(11, Purpose::kSample, i, number);
        const Rules rules{variant, false};
        collect_words(all_tasks()[number - 1].generate(rules, random), words[variant]);
      }
    }
    words[variant].erase(".");
    words[variant].erase("?");
  }
  const std::vector<std::string> all = generator_words();
  EXPECT_EQ(all.size(), 141u);
  EXPECT_EQ(words[Variant::kH], (std::set<std::string, std::less<>>(all.begin(), all.end())));
  words[Variant::kH].erase("last");
  EXPECT_EQ(words[Variant::kP], words[Variant::kH]);
}

}  // namespace
}  // namespace gradus::babi
