// SPDX-License-Identifier: Apache-2.0
// Task 10, indefinite knowledge. Five rounds of two statements and a question. A statement is one
// of three kinds, with equal probability: a move; `P is in the L.` with P's true place; or `P is
// either in the A or in the B.` with two distinct random places, which need not include P's place.
// The question `Is P in the L?` is about a person mentioned before and any place. The answer, yes,
// no or maybe, and the support follow from the reader's belief (belief.h).

#include "gradus/curricula/babi/belief.h"
#include "gradus/curricula/babi/choice.h"
#include "gradus/curricula/babi/generators.h"
#include "gradus/curricula/babi/world.h"

namespace gradus::babi {
namespace {

constexpr int kRounds = 5;
constexpr int kStatementsARound = 2;

using Beliefs = std::array<Belief, kPersonCount>;

void tell_move(World& world, Story& story, Beliefs& beliefs, Random& random) {
  const Event move = world.make_move(random);
  beliefs[move.person].is_in(move.place, tell(move, story, random));
}

void tell_place(const World& world, Story& story, Beliefs& beliefs, Random& random) {
  const int person = static_cast<int>(random.below(kPersonCount));
  const int place = world.place_of(person);
  const int line = story.say({kPeople[person], " is in the ", kPlaces[place], "."});
  beliefs[person].is_in(place, line);
}

void tell_either(Story& story, Beliefs& beliefs, Random& random) {
  const int person = static_cast<int>(random.below(kPersonCount));
  const auto [a, b] = two_distinct(kPlaceCount, random);
  const int line = story.say(
      {kPeople[person], " is either in the ", kPlaces[a], " or in the ", kPlaces[b], "."});
  beliefs[person].is_either_in(a, b, line);
}

void tell_statement(World& world, Story& story, Beliefs& beliefs, Random& random) {
  switch (random.below(3)) {
    case 0:
      return tell_move(world, story, beliefs, random);
    case 1:
      return tell_place(world, story, beliefs, random);
    default:
      return tell_either(story, beliefs, random);
  }
}

std::string_view answer(Truth truth) {
  if (truth == Truth::kUnknown) return "maybe";
  return truth == Truth::kTrue ? "yes" : "no";
}

}  // namespace

Story indefinite_knowledge(const Rules&, Random& random) {
  Story story;
  World world;
  Beliefs beliefs;
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kStatementsARound; ++i) tell_statement(world, story, beliefs, random);
    const auto mentioned = [&](int p) { return beliefs[p].mentioned(); };
    const int person = *one_where(kPersonCount, mentioned, random);
    const int place = static_cast<int>(random.below(kPlaceCount));
    story.ask({"Is ", kPeople[person], " in the ", kPlaces[place], "?"},
              answer(beliefs[person].truth(place)), beliefs[person].support(place));
  }
  return story;
}

}  // namespace gradus::babi
