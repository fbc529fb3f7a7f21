// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/curricula/babi/belief.h"
#include "tests/curricula/babi_text.h"

namespace gradus::babi {
namespace {

using testing::UnorderedElementsAreArray;

// Places are letters: a..f are the numbers 0..5.
struct Said {
  std::string what;  // "in a" or "either a b"; line numbers are positions in the list
};

struct Case {
  std::vector<Said> said;
  std::string truths;                                 // of a..f: T, F or ? for unknown
  std::array<std::vector<int>, kPlaceCount> support;  // of a..f
};

Belief belief_after(const std::vector<Said>& said) {
  Belief belief;
  int line = 0;
  for (const auto& [what] : said) {
    ++line;
    const int last = what.back() - 'a';
    if (what.starts_with("in ")) {
      belief.is_in(last, line);
    } else {
      belief.is_either_in(what[7] - 'a', last, line);
    }
  }
  return belief;
}

TEST(BabiBelief, FollowsTheTableOfRules) {
  const std::vector<Case> cases{
      // A move or "is in" alone.
      {{{"in c"}}, "FFTFFF", {{{1}, {1}, {1}, {1}, {1}, {1}}}},
      // Everything older is forgotten.
      {{{"either a b"}, {"in c"}}, "FFTFFF", {{{2}, {2}, {2}, {2}, {2}, {2}}}},
      // Somebody not mentioned before.
      {{{"either a b"}}, "??FFFF", {{{1}, {1}, {1}, {1}, {1}, {1}}}},
      // Known to be in the first of the two, then in the second.
      {{{"in a"}, {"either a b"}}, "TFFFFF", {{{1, 2}, {1, 2}, {2}, {2}, {2}, {2}}}},
      {{{"in b"}, {"either a b"}}, "FTFFFF", {{{1, 2}, {1, 2}, {2}, {2}, {2}, {2}}}},
      // Known to be elsewhere: the second becomes true.
      {{{"in c"}, {"either a b"}}, "FTFFFF", {{{1, 2}, {1, 2}, {2}, {2}, {2}, {2}}}},
      {{{"in c"}, {"either b a"}}, "TFFFFF", {{{1, 2}, {1, 2}, {2}, {2}, {2}, {2}}}},
      // The same pair again, in either order.
      {{{"either a b"}, {"either a b"}}, "??FFFF", {{{2}, {2}, {2}, {2}, {2}, {2}}}},
      {{{"either a b"}, {"either b a"}}, "??FFFF", {{{2}, {2}, {2}, {2}, {2}, {2}}}},
      // One place in common, named second or first: it becomes true.
      {{{"either a b"}, {"either c b"}}, "FTFFFF", {{{2}, {1, 2}, {1, 2}, {2}, {2}, {2}}}},
      {{{"either a b"}, {"either b c"}}, "FTFFFF", {{{2}, {1, 2}, {1}, {2}, {2}, {2}}}},
      // None in common: the second becomes true.
      {{{"either a b"}, {"either c d"}}, "FFFTFF", {{{2}, {2}, {1, 2}, {1, 2}, {2}, {2}}}},
      // The support of an inferred belief includes the support of the belief that it follows from.
      {{{"in c"}, {"either a b"}, {"either a d"}},
       "FFFTFF",
       {{{1, 2, 3}, {3}, {3}, {1, 2, 3}, {3}, {3}}}},
      // A place that was only said to be false is still supported by that line alone after an
      // inference.
      {{{"in c"}, {"either a b"}, {"either e f"}},
       "FFFFFT",
       {{{3}, {3}, {3}, {3}, {2, 3}, {2, 3}}}},
  };
  for (const Case& expected : cases) {
    std::string trace;
    for (const auto& [what] : expected.said) trace += what + "; ";
    SCOPED_TRACE(trace);
    const Belief belief = belief_after(expected.said);
    EXPECT_TRUE(belief.mentioned());
    for (int place = 0; place < kPlaceCount; ++place) {
      const char truth = expected.truths[place];
      EXPECT_EQ(belief.truth(place), truth == 'T'   ? Truth::kTrue
                                     : truth == 'F' ? Truth::kFalse
                                                    : Truth::kUnknown)
          << place;
      std::set<int> support;
      for (const int line : belief.support(place)) support.insert(line);
      EXPECT_THAT(support, UnorderedElementsAreArray(expected.support[place])) << place;
    }
  }
}

// The consequences of the rules, as the specification states them: the reader knows either one
// place of a person or a pair of places, one of which is right.
struct Known {
  std::set<std::string> maybe;  // one place: the person is there; two: in either
  int line = 0;                 // line of the latest "either"
};

TEST(BabiBelief, AnswersOfTaskTenFollowFromTheText) {
  for (const TextStory& story : stories_of(10, 2000)) {
    ActedWorld world;
    std::map<std::string, Known> known;
    ASSERT_EQ(story.size(), 15u);
    for (const TextLine& line : story) {
      ASSERT_EQ(line.question, line.number % 3 == 0);
      const std::string& place = line.words.back();
      if (line.question) {
        const std::string& person = line.words[1];
        ASSERT_EQ(line.text, "Is " + person + " in the " + place + "?");
        const Known& belief = known.at(person);
        const bool possible = belief.maybe.contains(place);
        const bool sure = belief.maybe.size() == 1;
        ASSERT_EQ(line.answer, !possible ? "no" : sure ? "yes" : "maybe");
        if (line.answer == "maybe") {
          ASSERT_EQ(line.support, std::vector{belief.line});
        }
        continue;
      }
      const std::string& person = line.words[0];
      if (tells_move(line)) {
        ASSERT_TRUE(world.act(line));
      }
      if (line.words[2] != "either") {
        ASSERT_EQ(world.place.at(person), place);
        known[person].maybe = {place};
        continue;
      }
      const std::string& first = line.words[5];
      ASSERT_EQ(line.text, person + " is either in the " + first + " or in the " + place + ".");
      ASSERT_NE(first, place);
      Known& belief = known[person];
      std::set<std::string> common;
      for (const std::string& candidate : {first, place}) {
        if (belief.maybe.contains(candidate)) common.insert(candidate);
      }
      if (belief.maybe.empty()) common = {first, place};
      if (common.empty()) common = {place};
      belief.maybe = common;
      belief.line = line.number;
    }
  }
}

}  // namespace
}  // namespace gradus::babi
