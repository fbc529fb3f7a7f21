// SPDX-License-Identifier: Apache-2.0
// Task 9, simple negation. Five rounds of two statements and a question. A statement is, with equal
// probability, a move or a true remark on where somebody is or is not. The reader knows only the
// last statement about each person. `Is P in the L?` is about a person mentioned before. If P is
// known to be in a place, the answer is yes or no with equal probability. If P is known not to be
// in a place, the question is about that place and the answer is no. Support: that last statement.

#include "gradus/curricula/babi/choice.h"
#include "gradus/curricula/babi/generators.h"
#include "gradus/curricula/babi/world.h"

namespace gradus::babi {
namespace {

constexpr int kRounds = 5;
constexpr int kStatementsARound = 2;

struct Knowledge {
  int line = 0;  // 0 if the person has not been mentioned
  int place = 0;
  bool there = false;
};

using KnowledgeOfPeople = std::array<Knowledge, kPersonCount>;

void tell_remark(const World& world, Story& story, KnowledgeOfPeople& known, Random& random) {
  const int person = static_cast<int>(random.below(kPersonCount));
  const bool there = random.coin();
  int place = world.place_of(person);
  std::string_view is = " is in the ";
  if (!there) {
    place = other_than(place, kPlaceCount, random);
    is = random.coin() ? " is not in the " : " is no longer in the ";
  }
  const int line = story.say({kPeople[person], is, kPlaces[place], "."});
  known[person] = {line, place, there};
}

void tell_statement(World& world, Story& story, KnowledgeOfPeople& known, Random& random) {
  if (random.coin()) {
    const Event move = world.make_move(random);
    known[move.person] = {tell(move, story, random), move.place, true};
  } else {
    tell_remark(world, story, known, random);
  }
}

void ask(Story& story, const KnowledgeOfPeople& known, Random& random) {
  const int person = *one_where(
      kPersonCount, [&](int p) { return known[p].line != 0; }, random);
  auto [line, place, there] = known[person];
  const bool yes = there && random.coin();
  if (there && !yes) place = other_than(place, kPlaceCount, random);
  story.ask({"Is ", kPeople[person], " in the ", kPlaces[place], "?"}, yes ? "yes" : "no", {line});
}

}  // namespace

Story simple_negation(const Rules&, Random& random) {
  Story story;
  World world;
  KnowledgeOfPeople known{};
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kStatementsARound; ++i) tell_statement(world, story, known, random);
    ask(story, known, random);
  }
  return story;
}

}  // namespace gradus::babi
