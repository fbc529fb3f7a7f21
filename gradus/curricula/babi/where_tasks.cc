// SPDX-License-Identifier: Apache-2.0
// Task 1, single supporting fact: five rounds of two moves and `Where is P?`, about somebody who
// has moved. Task 6, yes/no questions: the same with `Is P in the L?`; yes and no are equally
// likely.

#include "gradus/curricula/babi/choice.h"
#include "gradus/curricula/babi/generators.h"
#include "gradus/curricula/babi/world.h"

namespace gradus::babi {
namespace {

constexpr int kRounds = 5;
constexpr int kMovesARound = 2;

// `ask(story, person, place, support)` appends the question of a round.
template <typename Ask>
Story moves_and_questions(Ask ask, Random& random) {
  Story story;
  World world;
  MoveLines moved{};
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kMovesARound; ++i) {
      const Event move = world.make_move(random);
      moved[move.person] = tell(move, story, random);
    }
    const int person = *one_where(
        kPersonCount, [&](int p) { return moved[p] != 0; }, random);
    ask(story, person, world.place_of(person), moved[person]);
  }
  return story;
}

}  // namespace

Story single_supporting_fact(const Rules&, Random& random) {
  return moves_and_questions(
      [](Story& story, int person, int place, int support) {
        story.ask({"Where is ", kPeople[person], "?"}, kPlaces[place], {support});
      },
      random);
}

Story yes_no_questions(const Rules&, Random& random) {
  return moves_and_questions(
      [&](Story& story, int person, int place, int support) {
        const bool yes = random.coin();
        const int asked = yes ? place : other_than(place, kPlaceCount, random);
        story.ask({"Is ", kPeople[person], " in the ", kPlaces[asked], "?"}, yes ? "yes" : "no",
                  {support});
      },
      random);
}

}  // namespace gradus::babi
