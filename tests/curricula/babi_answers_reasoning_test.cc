// SPDX-License-Identifier: Apache-2.0
// Derives the answers and supporting facts of the tasks about relations, times, animals, sizes and
// motivations again from the text alone (babi_text.h).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/curricula/babi_text.h"

namespace gradus::babi {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::UnorderedElementsAre;

constexpr int kStories = 400;
const Rules kAllRules[] = {
    {Variant::kP, false}, {Variant::kP, true}, {Variant::kH, false}, {Variant::kH, true}};

using Point = std::pair<int, int>;

const std::map<std::string, Point> kCompass{
    {"north", {0, 1}}, {"south", {0, -1}}, {"east", {1, 0}}, {"west", {-1, 0}}};
const std::map<std::string, std::string> kOpposite{
    {"north", "south"}, {"south", "north"}, {"east", "west"}, {"west", "east"}};

std::string of(const Rules& rules) {
  return rules.variant == Variant::kP ? " of" : "";
}

// Parses "The X is north (of) the Y." and checks the wording.
struct Relation {
  std::string x;
  std::string direction;
  std::string y;
};

Relation relation(const TextLine& line, const Rules& rules) {
  const Relation read{line.words[1], line.words[3], line.words.back()};
  EXPECT_EQ(line.text,
            "The " + read.x + " is " + read.direction + of(rules) + " the " + read.y + ".");
  return read;
}

TEST(BabiAnswers, TwoArgumentRelationsAreRightInBothVariants) {
  for (const Rules& rules : kAllRules) {
    for (const TextStory& story : stories_of(4, kStories, rules)) {
      ASSERT_EQ(story.size(), 3u);
      const TextLine& question = story[2];
      ASSERT_EQ(question.support.size(), 1u);
      const Relation fact = relation(story[question.support[0] - 1], rules);
      const std::string& opposite = kOpposite.at(fact.direction);
      const std::map<std::string, std::string> wordings{
          {"What is " + fact.direction + of(rules) + " the " + fact.y + "?", fact.x},
          {"What is " + opposite + of(rules) + " the " + fact.x + "?", fact.y},
          {"What is the " + fact.x + " " + fact.direction + of(rules) + "?", fact.y},
          {"What is the " + fact.y + " " + opposite + of(rules) + "?", fact.x}};
      ASSERT_TRUE(wordings.contains(question.text)) << question.text;
      ASSERT_EQ(question.answer, wordings.at(question.text));
      // The three places lie in a line: the facts share a place, and the other two are on opposite
      // sides of it.
      const Relation other = relation(story[2 - question.support[0]], rules);
      const bool meets = fact.x == other.y || fact.y == other.x;
      const bool reversed = fact.x == other.x || fact.y == other.y;
      ASSERT_TRUE((meets && fact.direction == other.direction) ||
                  (reversed && opposite == other.direction));
    }
  }
}

TEST(BabiAnswers, TimeReasoningGoesByTheOrderOfTimes) {
  const std::vector<std::string> times{"yesterday", "this morning", "this afternoon",
                                       "this evening"};
  for (const TextStory& story : stories_of(14, kStories)) {
    ASSERT_EQ(story.size(), 17u);
    std::map<std::string, std::map<int, TextLine>> visits;  // by person and time
    std::map<std::string, std::set<std::string>> places;
    std::map<int, std::string> place_of_line;
    for (const TextLine& line : story) {
      ASSERT_EQ(line.question, line.number >= 5 && line.number % 3 == 2);
      if (!line.question) {
        std::string text = line.text.substr(0, line.text.size() - 1);
        text[0] = static_cast<char>(std::tolower(text[0]));
        int time = 0;
        while (text.find(times[time]) == std::string::npos) ++time;
        const bool first = text.find(times[time]) == 0;
        text.erase(first ? 0 : text.find(times[time]) - 1, times[time].size() + 1);
        const std::vector<std::string> words = split(text, ' ');
        ASSERT_EQ(words.size(), 5u) << line.text;
        std::string person = words[0];
        person[0] = static_cast<char>(std::toupper(person[0]));
        ASSERT_TRUE(is_one_of(words[1], {"went", "journeyed", "travelled", "moved"}));
        ASSERT_TRUE(visits[person].emplace(time, line).second) << "two visits at a time";
        ASSERT_TRUE(places[person].insert(words[4]).second) << "a place twice";
        place_of_line[line.number] = words[4];
        continue;
      }
      const std::string& person = line.words[2];
      const std::string& later = line.words.back();
      ASSERT_EQ(line.text, "Where was " + person + " before the " + later + "?");
      const TextLine* earlier = nullptr;
      const TextLine* asked = nullptr;
      for (const auto& [time, visit] : visits.at(person)) {
        if (place_of_line[visit.number] == later) asked = &visit;
        if (asked == nullptr) earlier = &visit;
      }
      ASSERT_TRUE(asked != nullptr && earlier != nullptr);
      ASSERT_EQ(line.answer, place_of_line[earlier->number]);
      ASSERT_THAT(line.support, UnorderedElementsAre(earlier->number, asked->number));
    }
  }
}

TEST(BabiAnswers, BasicDeductionGoesFromPersonToKindToFear) {
  const std::map<std::string, std::string> one_of_many{
      {"mice", "mouse"}, {"sheep", "sheep"}, {"wolves", "wolf"}, {"cats", "cat"}};
  for (const TextStory& story : stories_of(15, kStories)) {
    ASSERT_EQ(story.size(), 12u);
    std::map<std::string, TextLine> kind;
    std::map<std::string, TextLine> fear;
    std::set<std::string> kinds;
    std::set<std::string> asked;
    for (const TextLine& line : story) {
      ASSERT_EQ(line.question, line.number > 8);
      if (line.question) {
        const std::string& person = line.words[2];
        ASSERT_EQ(line.text, "What is " + person + " afraid of?");
        const TextLine& feared = fear.at(kind.at(person).words.back());
        ASSERT_EQ(line.answer, one_of_many.at(feared.words.back()));
        ASSERT_THAT(line.support, UnorderedElementsAre(kind.at(person).number, feared.number));
        asked.insert(person);
      } else if (line.words[1] == "is") {
        ASSERT_EQ(line.words[2], "a");
        kind[line.words[0]] = line;
        kinds.insert(line.words.back());
      } else {
        std::string many = line.words[0];
        many[0] = static_cast<char>(std::tolower(many[0]));
        ASSERT_NE(many, line.words.back());
        fear[one_of_many.at(many)] = line;
      }
    }
    ASSERT_EQ(kinds.size(), 4u);
    ASSERT_EQ(asked.size(), 4u);
  }
}

TEST(BabiAnswers, BasicInductionGoesByOthersOfTheKind) {
  for (const TextStory& story : stories_of(16, kStories)) {
    ASSERT_EQ(story.size(), 10u);
    std::map<std::string, TextLine> kind;
    std::map<std::string, TextLine> colour;
    for (int i = 0; i < 9; ++i) {
      const TextLine& line = story[i];
      (line.words[2] == "a" ? kind : colour)[line.words[0]] = line;
    }
    ASSERT_EQ(kind.size(), 5u);
    ASSERT_EQ(colour.size(), 4u);
    const TextLine& question = story[9];
    const std::string& asked = question.words.back();
    ASSERT_EQ(question.text, "What color is " + asked + "?");
    ASSERT_FALSE(colour.contains(asked));
    std::set<int> support{kind.at(asked).number};
    for (const auto& [person, line] : kind) {
      if (person == asked || line.words.back() != kind.at(asked).words.back()) continue;
      ASSERT_EQ(question.answer, colour.at(person).words.back());
      support.insert({line.number, colour.at(person).number});
    }
    ASSERT_GE(support.size(), 3u);
    ASSERT_THAT(question.support, ElementsAreArray(support));
    // Kinds and colours determine each other.
    std::map<std::string, std::string> colour_of;
    std::map<std::string, std::string> kind_of;
    for (const auto& [person, line] : colour) {
      const std::string& k = kind.at(person).words.back();
      ASSERT_EQ(colour_of.emplace(k, line.words.back()).first->second, line.words.back());
      ASSERT_EQ(kind_of.emplace(line.words.back(), k).first->second, k);
    }
  }
}

// Task 17: direction phrases. Facts of variant P have an extra " of".
struct Side {
  std::string x;
  Point step;
  bool horizontal = false;
  std::string y;
};

Side side(const std::string& body, const std::string& extra) {
  const std::map<std::string, Point> phrases{{"above", {0, 1}},
                                             {"below", {0, -1}},
                                             {"to the left of", {-1, 0}},
                                             {"to the right of", {1, 0}}};
  for (const auto& [phrase, step] : phrases) {
    const std::string middle = " " + phrase + extra + " the ";
    const std::size_t at = body.find(middle);
    if (at == std::string::npos) continue;
    return {body.substr(0, at), step, step.first != 0, body.substr(at + middle.size())};
  }
  ADD_FAILURE() << "no direction in: " << body;
  return {};
}

std::string between(const std::string& text, const std::string& before, std::size_t end) {
  EXPECT_EQ(text.substr(0, before.size()), before);
  return text.substr(before.size(), text.size() - before.size() - end);
}

TEST(BabiAnswers, PositionalReasoningIsInvertedLeftAndRightInPUnlessConsistent) {
  for (const Rules& rules : kAllRules) {
    const bool inverted = rules.variant == Variant::kP && !rules.consistent;
    for (const TextStory& story : stories_of(17, kStories, rules)) {
      ASSERT_EQ(story.size(), 10u);
      std::map<std::string, Point> position;
      for (int i = 0; i < 2; ++i) {
        std::string body = between(story[i].text, "The ", 1);
        const std::size_t is = body.find(" is ");
        ASSERT_NE(is, std::string::npos);
        body.erase(is, 3);
        const Side fact = side(body, of(rules));
        // The second fact refers to the middle thing, which the first fact has placed.
        if (i == 0) position[fact.y] = {0, 0};
        if (position.contains(fact.y)) {
          const Point p = position.at(fact.y);
          position[fact.x] = {p.first + fact.step.first, p.second + fact.step.second};
        } else {
          const Point p = position.at(fact.x);
          position[fact.y] = {p.first - fact.step.first, p.second - fact.step.second};
        }
      }
      ASSERT_EQ(position.size(), 3u) << story[0].text << story[1].text;
      for (int i = 2; i < 10; ++i) {
        const Side asked = side(between(story[i].text, "Is the ", 1), "");
        const Point x = position.at(asked.x);
        const Point y = position.at(asked.y);
        const int along =
            (x.first - y.first) * asked.step.first + (x.second - y.second) * asked.step.second;
        ASSERT_NE(along, 0) << "asked on an axis where they do not differ";
        const bool yes = (along > 0) != (inverted && asked.horizontal);
        ASSERT_EQ(story[i].answer, yes ? "yes" : "no") << story[i].text;
        ASSERT_THAT(story[i].support, ElementsAre(1, 2));
      }
    }
  }
}

TEST(BabiAnswers, SizeReasoningAsksAboutEveryPairTwoLinksApart) {
  for (const TextStory& story : stories_of(18, kStories)) {
    std::map<std::pair<std::string, std::string>, int> stated;  // (larger, smaller) -> line
    std::set<std::string> things;
    std::set<std::pair<std::string, std::string>> asked;
    for (const TextLine& line : story) {
      if (!line.question) {
        const std::string body = between(line.text, "The ", 1);
        const std::size_t at = body.find(" is bigger than the ");
        ASSERT_NE(at, std::string::npos);
        const std::pair fact{body.substr(0, at), body.substr(at + 20)};
        ASSERT_TRUE(stated.emplace(fact, line.number).second) << "stated twice";
        things.insert({fact.first, fact.second});
        continue;
      }
      const bool is = line.words[0] == "Is";
      const std::string middle = is ? " bigger than " : " fit in the ";
      const std::string body = between(line.text, is ? "Is the " : "Does the ", 1);
      const std::size_t at = body.find(middle);
      ASSERT_NE(at, std::string::npos) << line.text;
      std::pair pair{body.substr(0, at), body.substr(at + middle.size())};
      const bool said_smaller_first = (line.answer == "yes") != is;
      if (said_smaller_first) std::swap(pair.first, pair.second);
      ASSERT_FALSE(stated.contains(pair));
      asked.insert(pair);
      bool chain = false;
      for (const std::string& z : things) {
        const auto upper = stated.find({pair.first, z});
        const auto lower = stated.find({z, pair.second});
        if (upper == stated.end() || lower == stated.end()) continue;
        chain = chain || line.support == std::vector{std::min(upper->second, lower->second),
                                                     std::max(upper->second, lower->second)};
      }
      ASSERT_TRUE(chain) << line.text;
    }
    ASSERT_GE(stated.size(), 4u);
    ASSERT_LE(stated.size(), 9u);
    std::set<std::pair<std::string, std::string>> expected;
    for (const auto& [upper, i] : stated) {
      for (const auto& [lower, j] : stated) {
        const std::pair pair{upper.first, lower.second};
        if (upper.second == lower.first && !stated.contains(pair)) expected.insert(pair);
      }
    }
    ASSERT_EQ(asked, expected);
    ASSERT_EQ(story.size(), stated.size() + asked.size());
    for (const auto& [fact, line] : stated) {
      ASSERT_NE(fact.first, "chocolate");
      if (fact.first == "box of chocolates") {
        ASSERT_EQ(fact.second, "chocolate");
      }
    }
  }
}

TEST(BabiAnswers, PathFindingIsTheOppositeOfTheTextUnlessConsistent) {
  for (const Rules& rules : kAllRules) {
    for (const TextStory& story : stories_of(19, kStories, rules)) {
      ASSERT_EQ(story.size(), 5u);
      const TextLine& question = story[4];
      const std::string& from = question.words[5];
      const std::string& to = question.words[7];
      ASSERT_EQ(question.text, "What is the path from " + from + " to " + to + "?");
      // The positions of the places as the text says, found by following the facts.
      std::map<std::string, Point> position{{from, {0, 0}}};
      for (int round = 0; round < 4; ++round) {
        for (int i = 0; i < 4; ++i) {
          const auto [x, direction, y] = relation(story[i], rules);
          const Point step = kCompass.at(direction);
          if (position.contains(y)) {
            const Point p = position.at(y);
            const Point q{p.first + step.first, p.second + step.second};
            ASSERT_EQ(position.emplace(x, q).first->second, q);
          } else if (position.contains(x)) {
            const Point p = position.at(x);
            position[y] = {p.first - step.first, p.second - step.second};
          }
        }
      }
      ASSERT_EQ(position.size(), 5u);
      std::set<Point> cells;
      for (const auto& [name, cell] : position) cells.insert(cell);
      ASSERT_EQ(cells.size(), 5u) << "two places on one cell";
      // Follow the two supporting facts; the middle place is the one that they share.
      ASSERT_EQ(question.support.size(), 2u);
      const Relation one = relation(story[question.support[0] - 1], rules);
      const Relation two = relation(story[question.support[1] - 1], rules);
      const std::string middle = one.x == two.x || one.x == two.y ? one.x : one.y;
      std::string letters;
      for (const auto& [a, b] : {std::pair{from, middle}, std::pair{middle, to}}) {
        Point step{position.at(b).first - position.at(a).first,
                   position.at(b).second - position.at(a).second};
        if (!rules.consistent) step = {-step.first, -step.second};
        for (const auto& [word, direction] : kCompass) {
          if (direction == step) letters += (letters.empty() ? "" : ",") + word.substr(0, 1);
        }
      }
      ASSERT_EQ(question.answer, letters);
      // No other place neighbours both ends, so there is only one path of two steps.
      for (const auto& [name, place] : position) {
        if (name == middle) continue;
        const auto beside = [&position, cell = place](const std::string& end) {
          const Point p = position.at(end);
          return std::abs(p.first - cell.first) + std::abs(p.second - cell.second) == 1;
        };
        ASSERT_FALSE(beside(from) && beside(to));
      }
    }
  }
}

TEST(BabiAnswers, MotivationsExplainWhatPeopleDo) {
  const std::map<std::string, std::pair<std::string, std::string>> fitting{
      {"hungry", {"kitchen", "apple"}},
      {"thirsty", {"kitchen", "milk"}},
      {"bored", {"garden", "football"}},
      {"tired", {"bedroom", "pajamas"}}};
  for (const TextStory& story : stories_of(20, kStories)) {
    ASSERT_EQ(story.size(), 24u);
    std::map<std::string, TextLine> motive;
    std::map<std::string, int> rounds;
    for (std::size_t i = 0; i < story.size(); i += 2) {
      const TextLine& line = story[i];
      const TextLine& question = story[i + 1];
      const std::string& person = line.words[0];
      const int round = ++rounds[person];
      if (round == 1) {
        ASSERT_EQ(line.text, person + " is " + line.words.back() + ".");
        motive[person] = line;
      }
      const std::string& why = motive.at(person).words.back();
      const auto& [place, object] = fitting.at(why);
      if (round == 1) {
        ASSERT_EQ(question.text, "Where will " + person + " go?");
      } else if (round == 2) {
        ASSERT_TRUE(tells_move(line) && line.words.back() == place);
        ASSERT_EQ(question.text, "Why did " + person + " go to the " + place + "?");
      } else {
        ASSERT_TRUE(tells_get(line) && line.words.back() == object);
        ASSERT_EQ(question.text, "Why did " + person + " get the " + object + "?");
      }
      ASSERT_EQ(question.answer, round == 1 ? place : why);
      ASSERT_THAT(question.support, ElementsAre(motive.at(person).number));
    }
    ASSERT_EQ(rounds.size(), 4u);
    for (const auto& [person, count] : rounds) ASSERT_EQ(count, 3);
  }
}

}  // namespace
}  // namespace gradus::babi
