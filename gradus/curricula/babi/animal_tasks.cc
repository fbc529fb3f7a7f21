// SPDX-License-Identifier: Apache-2.0
// Task 15, basic deduction. There are four people, each a different kind of animal, and each kind
// fears one of the others. Eight statements in random order, then `What is P afraid of?` for each
// person in random order. Support: what P is, and what that kind fears.
//
// Task 16, basic induction. Each kind of animal has its own colour. There are five people, each of
// some kind. Nine statements in random order give the kind of everybody and the colour of everybody
// except one person K, who has the same kind as somebody else. `What color is K?` Support: K's
// kind, and the kind and colour of all others of that kind.

#include <algorithm>

#include "gradus/curricula/babi/choice.h"
#include "gradus/curricula/babi/generators.h"

namespace gradus::babi {
namespace {

struct Species {
  std::string_view one;
  std::string_view many;
};

constexpr int kSpeciesCount = 4;
constexpr std::array<Species, kSpeciesCount> kSpecies{
    {{"mouse", "mice"}, {"sheep", "sheep"}, {"wolf", "wolves"}, {"cat", "cats"}}};
constexpr std::array<std::string_view, kSpeciesCount> kFearful{"Gertrude", "Winona", "Jessica",
                                                               "Emily"};

constexpr int kKindCount = 4;
constexpr std::array<std::string_view, kKindCount> kKinds{"swan", "lion", "frog", "rhino"};
constexpr std::array<std::string_view, kKindCount> kColours{"gray", "white", "yellow", "green"};
constexpr int kColouredCount = 5;
constexpr std::array<std::string_view, kColouredCount> kColoured{"Lily", "Bernhard", "Greg",
                                                                 "Julius", "Brian"};

// Gives everybody a kind; somebody else has the kind of `asked`.
std::array<int, kColouredCount> draw_kinds(int asked, Random& random) {
  std::array<int, kColouredCount> kinds{};
  for (int& kind : kinds) kind = static_cast<int>(random.below(kKindCount));
  while (std::ranges::count(kinds, kinds[asked]) == 1) {
    kinds[asked] = static_cast<int>(random.below(kKindCount));
  }
  return kinds;
}

}  // namespace

Story basic_deduction(const Rules&, Random& random) {
  const auto species = permutation<kSpeciesCount>(random);  // by person
  std::array<int, kSpeciesCount> fears{};
  for (int i = 0; i < kSpeciesCount; ++i) fears[i] = other_than(i, kSpeciesCount, random);

  Story story;
  std::array<int, kSpeciesCount> person_lines{};
  std::array<int, kSpeciesCount> fear_lines{};
  for (const int fact : permutation<2 * kSpeciesCount>(random)) {
    const int i = fact % kSpeciesCount;
    if (fact < kSpeciesCount) {
      person_lines[i] = story.say({kFearful[i], " is a ", kSpecies[species[i]].one, "."});
    } else {
      fear_lines[i] =
          story.say({kSpecies[i].many, " are afraid of ", kSpecies[fears[i]].many, "."});
    }
  }
  for (const int person : permutation<kSpeciesCount>(random)) {
    const int kind = species[person];
    story.ask({"What is ", kFearful[person], " afraid of?"}, kSpecies[fears[kind]].one,
              {person_lines[person], fear_lines[kind]});
  }
  return story;
}

Story basic_induction(const Rules&, Random& random) {
  const auto colours = permutation<kKindCount>(random);  // by kind
  const int asked = static_cast<int>(random.below(kColouredCount));
  const auto kinds = draw_kinds(asked, random);

  Story story;
  std::vector<int> support;
  for (const int fact : permutation<2 * kColouredCount>(random)) {
    const int person = fact % kColouredCount;
    const bool tells_colour = fact >= kColouredCount;
    if (tells_colour && person == asked) continue;
    const int line =
        tells_colour ? story.say({kColoured[person], " is ", kColours[colours[kinds[person]]], "."})
                     : story.say({kColoured[person], " is a ", kKinds[kinds[person]], "."});
    if (kinds[person] == kinds[asked]) support.push_back(line);
  }
  story.ask({"What color is ", kColoured[asked], "?"}, kColours[colours[kinds[asked]]],
            std::move(support));
  return story;
}

}  // namespace gradus::babi
