// SPDX-License-Identifier: Apache-2.0
// Task 20, agent's motivations. There are four people, each with a different motivation. Twelve
// rounds of a statement and a question. Each round is for a random person who has had fewer than
// three. In their three rounds a person says how they feel, goes to the matching place, and takes
// the matching object, in this order. Support: always that person's first statement.

#include "gradus/curricula/babi/choice.h"
#include "gradus/curricula/babi/generators.h"
#include "gradus/curricula/babi/world.h"

namespace gradus::babi {
namespace {

struct Motivation {
  std::string_view word;
  std::string_view place;
  std::string_view object;
};

constexpr int kActorCount = 4;
constexpr std::array<std::string_view, kActorCount> kActors{"Jason", "Antoine", "Sumit", "Yann"};
constexpr std::array<Motivation, kActorCount> kMotivations{{{"hungry", "kitchen", "apple"},
                                                            {"thirsty", "kitchen", "milk"},
                                                            {"bored", "garden", "football"},
                                                            {"tired", "bedroom", "pajamas"}}};
constexpr int kRoundsEach = 3;

// Tells the statement and asks the question of an actor's round 0, 1 or 2. Round 0 sets
// `first_line`.
void tell_round(int round, std::string_view actor, const Motivation& motivation, int& first_line,
                Story& story, Random& random) {
  const auto& [word, place, object] = motivation;
  switch (round) {
    case 0:
      first_line = story.say({actor, " is ", word, "."});
      return story.ask({"Where will ", actor, " go?"}, place, {first_line});
    case 1:
      story.say({actor, " ", one_of(kMoveVerbs, random), " the ", place, "."});
      return story.ask({"Why did ", actor, " go to the ", place, "?"}, word, {first_line});
    default:
      story.say({actor, " ", one_of(kGetVerbs, random), " the ", object, "."});
      return story.ask({"Why did ", actor, " get the ", object, "?"}, word, {first_line});
  }
}

}  // namespace

Story agents_motivations(const Rules&, Random& random) {
  const auto motivations = permutation<kActorCount>(random);  // by actor
  std::array<int, kActorCount> rounds{};
  std::array<int, kActorCount> first_lines{};
  Story story;
  for (int i = 0; i < kActorCount * kRoundsEach; ++i) {
    const int actor = *one_where(
        kActorCount, [&](int a) { return rounds[a] < kRoundsEach; }, random);
    tell_round(rounds[actor]++, kActors[actor], kMotivations[motivations[actor]],
               first_lines[actor], story, random);
  }
  return story;
}

}  // namespace gradus::babi
