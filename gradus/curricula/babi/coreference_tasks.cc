// SPDX-License-Identifier: Apache-2.0
// All three tasks have five rounds of two statements and a question `Where is P?`.
//
// Task 11, basic coreference: somebody moves, then "he" or "she" moves on. The question is about
// that person. Support: both lines.
//
// Task 12, conjunction: two people go to one place, then two people (perhaps the same) to another.
// The question is about one of the four names, so a person in both pairs has twice the weight.
// There is no world state: people may "go" where they already are. Support: the latest line with
// that person.
//
// Task 13, compound coreference: two people go to one place, then "they" go to another. The
// question is about one of the two. Support: both lines.

#include "gradus/curricula/babi/choice.h"
#include "gradus/curricula/babi/generators.h"
#include "gradus/curricula/babi/world.h"

namespace gradus::babi {
namespace {

constexpr int kRounds = 5;
constexpr std::array<std::string_view, 3> kThen{"after that", "following that", "then"};

int tell_pronoun_move(int person, int place, Story& story, Random& random) {
  const std::string_view pronoun = kPronouns[person];
  const std::string_view verb = one_of(kMoveVerbs, random);
  const std::uint32_t form = random.below(kThen.size() + 1);
  if (form == kThen.size())
    return story.say({pronoun, " then ", verb, " the ", kPlaces[place], "."});
  return story.say({kThen[form], " ", pronoun, " ", verb, " the ", kPlaces[place], "."});
}

int tell_pair_move(std::pair<int, int> people, int place, Story& story, Random& random) {
  if (random.coin()) std::swap(people.first, people.second);
  return story.say({kPeople[people.first], " and ", kPeople[people.second], " ",
                    one_of(kMoveVerbs, random), " the ", kPlaces[place], "."});
}

void ask_where(int person, int place, std::vector<int> support, Story& story) {
  story.ask({"Where is ", kPeople[person], "?"}, kPlaces[place], std::move(support));
}

void conjunction_round(Story& story, Random& random) {
  const auto first = two_distinct(kPersonCount, random);
  const auto second = two_distinct(kPersonCount, random);
  const auto [first_place, second_place] = two_distinct(kPlaceCount, random);
  const int first_line = tell_pair_move(first, first_place, story, random);
  const int second_line = tell_pair_move(second, second_place, story, random);
  const std::array<int, 4> slots{first.first, first.second, second.first, second.second};
  const int person = one_of(slots, random);
  const bool in_second = person == second.first || person == second.second;
  ask_where(person, in_second ? second_place : first_place, {in_second ? second_line : first_line},
            story);
}

void compound_round(Story& story, Random& random) {
  const auto people = two_distinct(kPersonCount, random);
  const auto [first_place, second_place] = two_distinct(kPlaceCount, random);
  const int first_line = tell_pair_move(people, first_place, story, random);
  const int second_line = story.say({one_of(kThen, random), " they ", one_of(kMoveVerbs, random),
                                     " the ", kPlaces[second_place], "."});
  ask_where(random.coin() ? people.first : people.second, second_place, {first_line, second_line},
            story);
}

}  // namespace

Story basic_coreference(const Rules&, Random& random) {
  Story story;
  World world;
  for (int round = 0; round < kRounds; ++round) {
    const Event move = world.make_move(random);
    const int first_line = tell(move, story, random);
    const int place = other_than(move.place, kPlaceCount, random);
    world.perform({.kind = Event::Kind::kMove, .person = move.person, .place = place});
    const int second_line = tell_pronoun_move(move.person, place, story, random);
    ask_where(move.person, place, {first_line, second_line}, story);
  }
  return story;
}

Story conjunction(const Rules&, Random& random) {
  Story story;
  for (int round = 0; round < kRounds; ++round) conjunction_round(story, random);
  return story;
}

Story compound_coreference(const Rules&, Random& random) {
  Story story;
  for (int round = 0; round < kRounds; ++round) compound_round(story, random);
  return story;
}

}  // namespace gradus::babi
