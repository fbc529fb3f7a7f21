// SPDX-License-Identifier: Apache-2.0
// Task 17, positional reasoning. Two facts, "T1 is d1 of T2" and "T2 is d2 of T3", place three
// things on a grid. Eight yes/no questions ask about pairs of them. Support: always both facts.
//
// Variant P has an extra "of" in the facts ("above of the", "to the left of of the"). Unless
// `consistent`, it also swaps yes and no in every question about left and right.

#include <span>

#include "gradus/curricula/babi/choice.h"
#include "gradus/curricula/babi/generators.h"

namespace gradus::babi {
namespace {

// Directions are numbers 0..3 such that d ^ 1 is the opposite of d; 0 and 1 are horizontal.
constexpr int kDirections = 4;
constexpr std::array<std::string_view, kDirections> kWords{"to the left of", "to the right of",
                                                           "above", "below"};
constexpr int kLeft = 0;
constexpr int kAbove = 2;
constexpr int kQuestions = 8;

constexpr std::array<std::string_view, 4> kShapes{"square", "rectangle", "triangle", "sphere"};
constexpr std::array<std::string_view, 4> kColours{"red", "blue", "pink", "yellow"};
constexpr int kPlain = 4;  // no colour

struct Thing {
  int colour = kPlain;
  int shape = 0;
  int x = 0;
  int y = 0;
};

int opposite(int direction) {
  return direction ^ 1;
}

std::string name(const Thing& thing) {
  if (thing.colour == kPlain) return std::string(kShapes[thing.shape]);
  return std::string(kColours[thing.colour]) + " " + std::string(kShapes[thing.shape]);
}

// A plain thing may not follow a thing of the same shape. A coloured thing may follow a plain one.
bool fits(const Thing& thing, std::span<const Thing> chosen) {
  for (const Thing& other : chosen) {
    if (other.shape == thing.shape && (other.colour == thing.colour || thing.colour == kPlain)) {
      return false;
    }
  }
  return true;
}

std::array<Thing, 3> choose_things(Random& random) {
  std::array<Thing, 3> things;
  for (std::size_t i = 0; i < things.size(); ++i) {
    do {
      const std::uint32_t drawn = random.below(20);
      things[i] = {.colour = static_cast<int>(drawn / 4), .shape = static_cast<int>(drawn % 4)};
    } while (!fits(things[i], std::span(things).first(i)));
  }
  return things;
}

// Places `thing` in direction `direction` of `other`.
void lay(Thing& thing, int direction, const Thing& other) {
  thing.x = other.x + (direction == kLeft ? -1 : direction == opposite(kLeft) ? 1 : 0);
  thing.y = other.y + (direction == kAbove ? 1 : direction == opposite(kAbove) ? -1 : 0);
}

void tell(const Thing& x, int direction, const Thing& y, const Rules& rules, Story& story,
          Random& random) {
  const std::string_view of = rules.variant == Variant::kP ? " of" : "";
  if (random.coin()) {
    story.say({"The ", name(x), " is ", kWords[direction], of, " the ", name(y), "."});
  } else {
    story.say({"The ", name(y), " is ", kWords[opposite(direction)], of, " the ", name(x), "."});
  }
}

void ask(const Thing& x, const Thing& y, bool inverted, Story& story, Random& random) {
  const bool horizontal = x.x != y.x && (x.y == y.y || random.coin());
  const int truth =
      horizontal ? (x.x < y.x ? kLeft : opposite(kLeft)) : (x.y > y.y ? kAbove : opposite(kAbove));
  const bool yes = random.coin();
  const std::string_view word = kWords[yes ? truth : opposite(truth)];
  const bool told = yes != (inverted && horizontal);
  story.ask({"Is the ", name(x), " ", word, " the ", name(y), "?"}, told ? "yes" : "no", {1, 2});
}

}  // namespace

Story positional_reasoning(const Rules& rules, Random& random) {
  auto things = choose_things(random);
  const int first = static_cast<int>(random.below(kDirections));
  const int second = other_than(opposite(first), kDirections, random);
  lay(things[1], second, things[2]);
  lay(things[0], first, things[1]);

  Story story;
  tell(things[0], first, things[1], rules, story, random);
  tell(things[1], second, things[2], rules, story, random);
  const bool inverted = rules.variant == Variant::kP && !rules.consistent;
  for (int i = 0; i < kQuestions; ++i) {
    const auto [x, y] = two_distinct(static_cast<int>(things.size()), random);
    ask(things[x], things[y], inverted, story, random);
  }
  return story;
}

}  // namespace gradus::babi
