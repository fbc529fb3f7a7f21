// SPDX-License-Identifier: Apache-2.0
// Task 4, two argument relations. Three places lie in a line that runs north or east. Two facts, "A
// is d of B" and "B is d of C", and one question about one of them.
//
// Task 19, path finding. Five places lie on a square grid: a path N1 -> N2 -> N3 and two decoys.
// Four facts, then a question for the path from N1 to N3, which is two letters. The public
// generator writes "X is north of Y" if Y lies north of X, so every answer is the opposite of what
// the text says. `consistent` reverses the text.
//
// Variant P writes "north of the", variant H "north the".

#include <cstdlib>

#include "gradus/curricula/babi/choice.h"
#include "gradus/curricula/babi/generators.h"
#include "gradus/curricula/babi/world.h"

namespace gradus::babi {
namespace {

// Directions are numbers 0..3 such that d ^ 1 is the opposite of d.
constexpr int kDirections = 4;
constexpr std::array<std::string_view, kDirections> kWords{"north", "south", "east", "west"};
constexpr std::array<std::string_view, kDirections> kLetters{"n", "s", "e", "w"};

int opposite(int direction) {
  return direction ^ 1;
}

std::string_view of(const Rules& rules) {
  return rules.variant == Variant::kP ? " of" : "";
}

// Tells "X is d of Y" in one of its two wordings.
int tell_relation(int x, int direction, int y, const Rules& rules, Story& story, Random& random) {
  if (random.coin()) {
    std::swap(x, y);
    direction = opposite(direction);
  }
  return story.say(
      {"The ", kPlaces[x], " is ", kWords[direction], of(rules), " the ", kPlaces[y], "."});
}

// Asks about the fact "x is `direction` of y".
void ask_relation(int x, int direction, int y, int support, const Rules& rules, Story& story,
                  Random& random) {
  // The same fact seen from the other place: "y is opposite(direction) of x".
  if (random.coin()) {
    std::swap(x, y);
    direction = opposite(direction);
  }
  if (random.coin()) {
    story.ask({"What is ", kWords[direction], of(rules), " the ", kPlaces[y], "?"}, kPlaces[x],
              {support});
  } else {
    story.ask({"What is the ", kPlaces[x], " ", kWords[direction], of(rules), "?"}, kPlaces[y],
              {support});
  }
}

struct Cell {
  int x = 0;
  int y = 0;
  bool operator==(const Cell&) const = default;
};

Cell step(Cell from, int direction) {
  constexpr std::array<Cell, kDirections> kSteps{{{0, 1}, {0, -1}, {1, 0}, {-1, 0}}};
  return {from.x + kSteps[direction].x, from.y + kSteps[direction].y};
}

bool neighbours(Cell a, Cell b) {
  return std::abs(a.x - b.x) + std::abs(a.y - b.y) == 1;
}

// Going `direction` from place `from` leads to place `to`. Places are numbered in the order placed.
struct Passage {
  int from = 0;
  int direction = 0;
  int to = 0;
};

// The grid of one story. Cells are in the order placed, N1 first.
class Grid {
 public:
  // Adds a step to the path; redraws it until it leads to a free cell.
  Passage extend_path(Random& random) {
    Passage passage{.from = last()};
    do {
      passage.direction = static_cast<int>(random.below(kDirections));
    } while (taken(step(cells_.back(), passage.direction)));
    return place(passage);
  }

  // Adds a decoy beside any earlier place. It must not open a second path from N1 to N3. With at
  // most two decoys, only a cell that neighbours both N1 and N3 could do that.
  Passage add_decoy(Random& random) {
    while (true) {
      Passage passage{.from = static_cast<int>(random.below(last() + 1))};
      passage.direction = static_cast<int>(random.below(kDirections));
      const Cell cell = step(cells_[passage.from], passage.direction);
      if (taken(cell) || (neighbours(cell, cells_[0]) && neighbours(cell, cells_[2]))) continue;
      return place(passage);
    }
  }

 private:
  int last() const { return static_cast<int>(cells_.size()) - 1; }

  bool taken(Cell cell) const {
    for (const Cell& other : cells_) {
      if (other == cell) return true;
    }
    return false;
  }

  Passage place(Passage passage) {
    cells_.push_back(step(cells_[passage.from], passage.direction));
    passage.to = last();
    return passage;
  }

  std::vector<Cell> cells_{Cell{}};
};

}  // namespace

Story two_argument_relations(const Rules& rules, Random& random) {
  const auto places = permutation<kPlaceCount>(random);
  const int a = places[0];
  const int b = places[1];
  const int c = places[2];
  const int d = random.coin() ? 0 : 2;
  Story story;
  const bool first_fact_first = random.coin();
  const bool about_first_fact = random.coin();
  if (first_fact_first) tell_relation(a, d, b, rules, story, random);
  tell_relation(b, d, c, rules, story, random);
  if (!first_fact_first) tell_relation(a, d, b, rules, story, random);
  const int support = about_first_fact == first_fact_first ? 1 : 2;
  if (about_first_fact) {
    ask_relation(b, opposite(d), a, support, rules, story, random);
  } else {
    ask_relation(b, d, c, support, rules, story, random);
  }
  return story;
}

Story path_finding(const Rules& rules, Random& random) {
  const auto names = permutation<kPlaceCount>(random);
  Grid grid;
  std::array<Passage, 4> passages;
  for (int i = 0; i < 2; ++i) passages[i] = grid.extend_path(random);
  for (int i = 2; i < 4; ++i) passages[i] = grid.add_decoy(random);

  Story story;
  std::array<int, 4> lines{};
  for (const int i : permutation<4>(random)) {
    auto [from, direction, to] = passages[i];
    if (rules.consistent) std::swap(from, to);
    lines[i] = tell_relation(names[from], direction, names[to], rules, story, random);
  }
  story.ask_words(
      {"What is the path from ", kPlaces[names[0]], " to ", kPlaces[names[2]], "?"},
      {std::string(kLetters[passages[0].direction]), std::string(kLetters[passages[1].direction])},
      {lines[0], lines[1]});
  return story;
}

}  // namespace gradus::babi
