// SPDX-License-Identifier: Apache-2.0
// Derives the answers and supporting facts of the tasks about people, places and objects again from
// the text alone (babi_text.h).

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/curricula/babi_text.h"

namespace gradus::babi {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::UnorderedElementsAre;

constexpr int kStories = 400;
const std::set<std::string> kAllPlaces{"bedroom", "kitchen",  "garden",
                                       "hallway", "bathroom", "office"};

std::string text_of(const TextStory& story) {
  std::string text;
  for (const TextLine& line : story) text += std::to_string(line.number) + " " + line.text + "\n";
  return text;
}

// Where people were last told to go, and the line that told it.
struct Told {
  std::map<std::string, std::string> place;
  std::map<std::string, int> line;

  void note(const TextLine& move) {
    place[move.words.front()] = move.words.back();
    line[move.words.front()] = move.number;
  }
};

// Number of statements before each question; the last element is the number after the last
// question.
std::vector<int> gaps(const TextStory& story) {
  std::vector<int> gaps{0};
  for (const TextLine& line : story) {
    if (line.question) {
      gaps.push_back(0);
    } else {
      ++gaps.back();
    }
  }
  return gaps;
}

TEST(BabiAnswers, SingleSupportingFactIsTheLatestMove) {
  for (const TextStory& story : stories_of(1, kStories)) {
    SCOPED_TRACE(text_of(story));
    Told told;
    ActedWorld world;
    ASSERT_THAT(gaps(story), ElementsAre(2, 2, 2, 2, 2, 0));
    for (const TextLine& line : story) {
      if (!line.question) {
        ASSERT_TRUE(tells_move(line) && world.act(line)) << line.text;
        told.note(line);
        continue;
      }
      const std::string& person = line.words[2];
      ASSERT_EQ(line.text, "Where is " + person + "?");
      ASSERT_EQ(line.answer, told.place.at(person));
      ASSERT_THAT(line.support, ElementsAre(told.line.at(person)));
    }
  }
}

TEST(BabiAnswers, YesNoQuestionsAreAboutTheLatestMove) {
  for (const TextStory& story : stories_of(6, kStories)) {
    SCOPED_TRACE(text_of(story));
    Told told;
    ActedWorld world;
    ASSERT_THAT(gaps(story), ElementsAre(2, 2, 2, 2, 2, 0));
    for (const TextLine& line : story) {
      if (!line.question) {
        ASSERT_TRUE(tells_move(line) && world.act(line)) << line.text;
        told.note(line);
        continue;
      }
      const std::string& person = line.words[1];
      const std::string& place = line.words.back();
      ASSERT_EQ(line.text, "Is " + person + " in the " + place + "?");
      ASSERT_EQ(line.answer, told.place.at(person) == place ? "yes" : "no");
      ASSERT_THAT(line.support, ElementsAre(told.line.at(person)));
    }
  }
}

TEST(BabiAnswers, TwoSupportingFactsAreTheGetAndTheHoldersLatestMove) {
  for (const TextStory& story : stories_of(2, kStories)) {
    SCOPED_TRACE(text_of(story));
    Told told;
    ActedWorld world;
    std::map<std::string, int> got;
    std::vector<int> between = gaps(story);
    ASSERT_EQ(between.size(), 6u);
    ASSERT_EQ(between.back(), 0);
    ASSERT_GE(*std::min_element(between.begin(), between.end() - 1), 3);
    for (const TextLine& line : story) {
      if (!line.question) {
        ASSERT_TRUE(!tells_give(line) && world.act(line)) << line.text;
        if (tells_move(line)) told.note(line);
        if (tells_get(line)) got[line.words.back()] = line.number;
        continue;
      }
      const std::string& object = line.words.back();
      ASSERT_EQ(line.text, "Where is the " + object + "?");
      const std::string& holder = world.holder.at(object);
      ASSERT_EQ(line.answer, told.place.at(holder));
      ASSERT_THAT(line.support, UnorderedElementsAre(got.at(object), told.line.at(holder)));
    }
  }
}

// Task 3 from the text: for each object, its known places in order.
struct History {
  std::vector<std::string> places;
  std::vector<std::set<int>> support;
};

TEST(BabiAnswers, ThreeSupportingFactsTellTheLastTwoKnownPlaces) {
  for (const TextStory& story : stories_of(3, kStories)) {
    SCOPED_TRACE(text_of(story));
    Told told;
    ActedWorld world;
    std::map<std::string, int> got;
    std::map<std::string, std::string> known;  // objects whose place is known
    std::map<std::string, History> histories;
    const std::vector<int> between = gaps(story);
    ASSERT_EQ(between.size(), 6u);
    ASSERT_EQ(between.back(), 0);
    ASSERT_GE(*std::min_element(between.begin(), between.end() - 1), 3);
    for (const TextLine& line : story) {
      if (line.question) {
        const History& history = histories.at(line.words[3]);
        const std::size_t n = history.places.size();
        ASSERT_GE(n, 2u);
        ASSERT_EQ(line.text,
                  "Where was the " + line.words[3] + " before the " + history.places[n - 1] + "?");
        ASSERT_EQ(line.answer, history.places[n - 2]);
        std::set<int> support = history.support[n - 1];
        support.insert(history.support[n - 2].begin(), history.support[n - 2].end());
        ASSERT_THAT(line.support, ElementsAreArray(support));
        ASSERT_EQ(support.size(), 3u);
        continue;
      }
      ASSERT_TRUE(!tells_give(line) && world.act(line)) << line.text;
      const std::string& person = line.words.front();
      if (tells_move(line)) told.note(line);
      if (tells_get(line)) got[line.words.back()] = line.number;
      if (!tells_move(line)) {
        known.erase(line.words.back());
        if (told.place.contains(person)) known[line.words.back()] = told.place.at(person);
      }
      for (const auto& [object, holder] : world.holder) {
        if (told.place.contains(holder)) known[object] = told.place.at(holder);
      }
      for (const auto& [object, place] : known) {
        History& history = histories[object];
        if (!history.places.empty() && history.places.back() == place) continue;
        history.places.push_back(place);
        history.support.push_back({got.at(object), told.line.at(world.holder.at(object))});
      }
    }
  }
}

TEST(BabiAnswers, ThreeArgumentRelationsInHAreAboutGivesAndFillersNeverHappen) {
  for (const TextStory& story : stories_of(5, kStories, {Variant::kH, false})) {
    SCOPED_TRACE(text_of(story));
    ActedWorld world;
    int first = 1;  // line of the first statement since the last question
    ASSERT_EQ(gaps(story).size(), 6u);
    for (const TextLine& question : story) {
      if (!question.question) continue;
      ASSERT_EQ(question.support.size(), 1u);
      const int give_line = question.support[0];
      ASSERT_GE(give_line, first + 1);
      ASSERT_LE(question.number - give_line - 1, 5);
      for (int n = first; n <= give_line; ++n) {
        ASSERT_TRUE(world.act(story[n - 1])) << story[n - 1].text;
        // Every give is asked about at once, except if it comes right after a question.
        ASSERT_EQ(tells_give(story[n - 1]) && n > first, n == give_line);
      }
      const auto& give = story[give_line - 1].words;
      for (int n = give_line + 1; n < question.number; ++n) {
        const TextLine& filler = story[n - 1];
        ActedWorld imagined = world;
        ASSERT_TRUE(imagined.act(filler)) << filler.text;
        ASSERT_TRUE(tells_move(filler) || filler.words.back() != give.back()) << filler.text;
        ASSERT_FALSE(tells_give(filler) && filler.words[0] == give[0] &&
                     filler.words[2] == give[2]);
      }
      const std::map<std::string, std::string> wordings{
          {"What did " + give[0] + " give to " + give[2] + " last?", give.back()},
          {"Who received the " + give.back() + " last?", give[2]},
          {"Who did " + give[0] + " give the " + give.back() + " to last?", give[2]}};
      ASSERT_TRUE(wordings.contains(question.text)) << question.text;
      ASSERT_EQ(question.answer, wordings.at(question.text));
      first = question.number + 1;
    }
  }
}

TEST(BabiAnswers, ThreeArgumentRelationsInPAreAboutAGiveOfTheirBlock) {
  for (const TextStory& story : stories_of(5, kStories, {Variant::kP, false})) {
    SCOPED_TRACE(text_of(story));
    int first = 1;
    ASSERT_EQ(gaps(story).size(), 6u);
    ASSERT_EQ(gaps(story).back(), 0);
    for (const TextLine& question : story) {
      if (!question.question) continue;
      ASSERT_GE(question.number - first, 3);
      ASSERT_EQ(question.support.size(), 1u);
      ASSERT_GE(question.support[0], first);
      const TextLine& line = story[question.support[0] - 1];
      ASSERT_TRUE(tells_give(line));
      const auto& give = line.words;
      const std::map<std::string, std::string> wordings{
          {"What did " + give[0] + " give to " + give[2] + "?", give.back()},
          {"Who received the " + give.back() + "?", give[2]},
          {"Who did " + give[0] + " give the " + give.back() + " to?", give[2]}};
      ASSERT_TRUE(wordings.contains(question.text)) << question.text;
      ASSERT_EQ(question.answer, wordings.at(question.text));
      // This give was the block's last event, so at most two other gives came before it.
      int gives = 0;
      for (int n = first; n < question.number; ++n) gives += tells_give(story[n - 1]) ? 1 : 0;
      ASSERT_LE(gives, 3);
      first = question.number + 1;
    }
  }
}

// Tasks 7 and 8: who holds what, and on which lines each person acted.
void check_holding(int number, const std::string& before, const std::string& after,
                   std::string (*answer)(const std::set<std::string>& held)) {
  for (const TextStory& story : stories_of(number, kStories)) {
    SCOPED_TRACE(text_of(story));
    ActedWorld world;
    std::map<std::string, std::vector<int>> acts;
    const std::vector<int> between = gaps(story);
    ASSERT_GE(between[0], 2);
    ASSERT_THAT(std::vector(between.begin() + 1, between.end()), ElementsAre(2, 2, 2, 2, 0));
    for (const TextLine& line : story) {
      if (!line.question) {
        // The first question comes as soon as somebody has acted.
        const bool before_first = line.number <= between[0];
        ASSERT_TRUE(!before_first || line.number <= 2 || acts.empty());
        ASSERT_TRUE(world.act(line)) << line.text;
        if (!tells_move(line)) acts[line.words[0]].push_back(line.number);
        continue;
      }
      const std::string person =
          line.text.substr(before.size(), line.text.size() - before.size() - after.size());
      ASSERT_EQ(line.text, before + person + after);
      std::set<std::string> held;
      for (const auto& [object, holder] : world.holder) {
        if (holder == person) held.insert(object);
      }
      ASSERT_EQ(line.answer, answer(held));
      ASSERT_THAT(line.support, ElementsAreArray(acts.at(person)));
    }
  }
}

TEST(BabiAnswers, CountingCountsWhatAPersonHolds) {
  check_holding(7, "How many objects is ", " holding?", [](const std::set<std::string>& held) {
    return std::vector<std::string>{"zero", "one", "two", "three"}[held.size()];
  });
}

TEST(BabiAnswers, ListsAreInTheOrderAppleMilkFootball) {
  check_holding(8, "What is ", " holding?", [](const std::set<std::string>& held) {
    std::string list;
    for (const std::string object : {"apple", "milk", "football"}) {
      if (held.contains(object)) list += (list.empty() ? "" : ",") + object;
    }
    return list.empty() ? "nothing" : list;
  });
}

TEST(BabiAnswers, NegationGoesByTheLastStatementAboutAPerson) {
  for (const TextStory& story : stories_of(9, kStories)) {
    SCOPED_TRACE(text_of(story));
    ActedWorld world;
    std::map<std::string, TextLine> last;
    ASSERT_THAT(gaps(story), ElementsAre(2, 2, 2, 2, 2, 0));
    for (const TextLine& line : story) {
      const std::string& place = line.words.back();
      if (!line.question) {
        const std::string& person = line.words[0];
        last[person] = line;
        if (tells_move(line)) {
          ASSERT_TRUE(world.act(line));
        } else if (line.text == person + " is in the " + place + ".") {
          ASSERT_EQ(world.place.at(person), place);
        } else {
          ASSERT_TRUE(line.text == person + " is not in the " + place + "." ||
                      line.text == person + " is no longer in the " + place + ".");
          ASSERT_NE(world.place.at(person), place);
        }
        continue;
      }
      const TextLine& known = last.at(line.words[1]);
      ASSERT_EQ(line.text, "Is " + known.words[0] + " in the " + place + "?");
      ASSERT_THAT(line.support, ElementsAre(known.number));
      const bool denied = is_one_of(known.words[2], {"not", "no"});
      if (denied) {
        ASSERT_EQ(place, known.words.back());
      }
      ASSERT_EQ(line.answer, !denied && place == known.words.back() ? "yes" : "no");
    }
  }
}

TEST(BabiAnswers, BasicCoreferenceFollowsHeAndShe) {
  const std::set<std::string> verbs{"went", "journeyed", "travelled", "moved"};
  for (const TextStory& story : stories_of(11, kStories)) {
    SCOPED_TRACE(text_of(story));
    ActedWorld world;
    ASSERT_EQ(story.size(), 15u);
    for (int round = 0; round < 5; ++round) {
      const TextLine& first = story[3 * round];
      const TextLine& second = story[3 * round + 1];
      const TextLine& question = story[3 * round + 2];
      const std::string& person = first.words[0];
      ASSERT_TRUE(tells_move(first) && world.act(first));
      const bool she = person == "Mary" || person == "Sandra";
      const std::string he = she ? "she" : "he";
      const std::string capital = she ? "She" : "He";
      const std::string& place = second.words.back();
      std::set<std::string> wordings;
      for (const std::string& verb : verbs) {
        const std::string rest = verb + " to the " + place + ".";
        wordings.insert("After that " + he + " " + rest);
        wordings.insert("Following that " + he + " " + rest);
        wordings.insert("Then " + he + " " + rest);
        wordings.insert(capital + " then " + rest);
      }
      ASSERT_TRUE(wordings.contains(second.text)) << second.text;
      ASSERT_NE(place, world.place.at(person));
      world.place[person] = place;
      ASSERT_EQ(question.text, "Where is " + person + "?");
      ASSERT_EQ(question.answer, place);
      ASSERT_THAT(question.support, ElementsAre(first.number, second.number));
    }
  }
}

TEST(BabiAnswers, ConjunctionGoesByTheLatestLineWithThePerson) {
  for (const TextStory& story : stories_of(12, kStories)) {
    SCOPED_TRACE(text_of(story));
    ASSERT_EQ(story.size(), 15u);
    for (int round = 0; round < 5; ++round) {
      const TextLine& question = story[3 * round + 2];
      for (const TextLine& line : {story[3 * round], story[3 * round + 1]}) {
        ASSERT_EQ(line.words[1], "and");
        ASSERT_NE(line.words[0], line.words[2]);
        ASSERT_TRUE(is_one_of(line.words[3], {"went", "journeyed", "travelled", "moved"}));
        ASSERT_TRUE(kAllPlaces.contains(line.words.back()));
      }
      ASSERT_NE(story[3 * round].words.back(), story[3 * round + 1].words.back());
      const auto& second = story[3 * round + 1].words;
      const std::string& person = question.words[2];
      const bool in_second = person == second[0] || person == second[2];
      const TextLine& line = story[3 * round + (in_second ? 1 : 0)];
      ASSERT_TRUE(person == line.words[0] || person == line.words[2]);
      ASSERT_EQ(question.answer, line.words.back());
      ASSERT_THAT(question.support, ElementsAre(line.number));
    }
  }
}

TEST(BabiAnswers, CompoundCoreferenceFollowsThey) {
  for (const TextStory& story : stories_of(13, kStories)) {
    SCOPED_TRACE(text_of(story));
    ASSERT_EQ(story.size(), 15u);
    for (int round = 0; round < 5; ++round) {
      const TextLine& first = story[3 * round];
      const TextLine& second = story[3 * round + 1];
      const TextLine& question = story[3 * round + 2];
      const std::string& person = question.words[2];
      ASSERT_TRUE(person == first.words[0] || person == first.words[2]);
      ASSERT_NE(first.words[0], first.words[2]);
      const std::size_t they = second.text.find(" they ");
      ASSERT_TRUE(is_one_of(second.text.substr(0, they), {"After that", "Following that", "Then"}));
      ASSERT_NE(first.words.back(), second.words.back());
      ASSERT_EQ(question.answer, second.words.back());
      ASSERT_THAT(question.support, ElementsAre(first.number, second.number));
    }
  }
}

}  // namespace
}  // namespace gradus::babi
